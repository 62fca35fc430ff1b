"""Made-up names of people."""

import random

FIRST_NAMES = (
    "Aino Alba Aldo Amira Anders Anya Ari Beata Bela Bruno Carla Cem Chiara Dafne Dario Dilan Edda Elif Emil Enzo Esme "
    "Farid Fenja Florin Gaia Goran Greta Hakan Hedda Henrik Ilse Ines Ivar Jaana Jonas Juri Kaia Kamil Kerem Lale Lars "
    "Leif Lina Luca Maja Malik Marit Mats Mila Nadja Nils Noor Olga Omar Otto Paula Pekka Petra Ravi Rosa Runa Samir "
    "Selma Signe Stefan Tarja Teo Tove Ulla Urs Vera Viggo Wanda Wim Yara Yusuf Zoe Zoran"
).split()
LAST_NAMES = (
    "Ahlgren Bakker Bianchi Brandt Castell Dahl Demir Ekholm Falk Ferrari Gruber Haas Hansen Holm Ivanov Jansen Kaya "
    "Keller Koski Lang Lehto Lind Lopez Marek Meier Moreau Nagy Nemec Novak Okafor Olsen Orban Petrov Poulsen Quist Rossi "
    "Ruiz Saari Sato Schmid Silva Sorensen Steiner Svensson Toth Urban Varga Virtanen Vogel Weber Winter Yilmaz Zeman"
).split()


def people_names(count: int, rng: random.Random) -> list[str]:
    """Return ``count`` different made-up names; with a number appended when the combinations run out."""
    pairs = [f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES]
    rng.shuffle(pairs)
    return [
        pairs[i] if i < len(pairs) else f"{pairs[i % len(pairs)]} {i // len(pairs) + 1}" for i in range(count)
    ]
