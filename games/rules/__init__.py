"""The rules of play, numbered R1 to R43 and F1 to F17 in docs/rules.md. Pure: values in, values out."""
