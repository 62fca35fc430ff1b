"""Two recordings of all pages held against each other, and the forms of a page as they would be sent."""

from tools.compare_pages import compare
from tools.page_visits import Forms

PAGE = """/e/abc/
200
Content-Type: text/html

<script nonce="{nonce}" src="/static/js/live{hash}.js"></script>
<input type="hidden" name="csrfmiddlewaretoken" value="{token}"><p>{words}</p>
"""


def recorded(folder, *, name="nobody/get/public.event/e_abc.txt", words="Ann beat Bob", **random):
    values = {"nonce": "n", "hash": "", "token": "t", **random}
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(PAGE.format(words=words, **values))
    return folder


def test_compare_when_only_tokens_and_releases_differ_then_nothing_is_said(tmp_path, capsys):
    one = recorded(tmp_path / "one")
    two = recorded(tmp_path / "two", nonce="other", hash=".0123456789ab", token="other")
    assert compare(one, two, common=False) == 0
    assert capsys.readouterr().out.strip() == "1 responses compared, 0 differ or are missing"


def test_compare_when_words_differ_or_a_page_is_missing_then_both_are_named(tmp_path, capsys):
    one = recorded(recorded(tmp_path / "one"), name="owner/get/public.home/root.txt")
    two = recorded(tmp_path / "two", words="Bob beat Ann")
    assert compare(one, two, common=False) == 1
    said = capsys.readouterr().out
    assert "only in" in said
    assert "root.txt" in said
    assert '"t"><p>' not in said
    assert "Bob beat Ann" in said
    assert compare(one, two, common=True) == 1
    assert "only in" not in capsys.readouterr().out


def test_compare_when_a_form_was_sent_with_another_mark_then_it_is_the_same_question(tmp_path):
    folders = []
    for name, mark in (("one", "0123456789abcdef"), ("two", "fedcba9876543210")):
        file = tmp_path / name / "director" / "post" / "director.match" / f"m--{mark[:12]}.txt"
        file.parent.mkdir(parents=True)
        file.write_text(f"/m--{mark[:12]}\n302\nPOST /m/correct/ [('previewed', '{mark}')]\n\n")
        folders.append(tmp_path / name)
    assert compare(*folders, common=False) == 0


FORM = """
<form method="get"><input name="q"></form>
<form method="post" action="/m/result/">
  <input type="hidden" name="seen" value="3"><input name="score_a" value="5"><input name="score_b" value="2">
  <input type="radio" name="kind" value="played"><input type="radio" name="kind" value="retired" checked>
  <input type="checkbox" name="late"><input type="checkbox" name="rated" checked>
  <select name="winner"><option value="">–</option><option value="a">Ann</option></select>
  <textarea name="note">it was
quick</textarea>
  <button name="apply" value="1">Save</button>
</form>
"""


def test_forms_when_read_then_sent_with_what_stands_in_them_and_with_the_score_the_other_way_round():
    (action, data), (_again, swapped) = Forms(FORM).sendings()
    assert action == "/m/result/"
    assert dict(data) == {
        "seen": "3", "score_a": "5", "score_b": "2", "kind": "retired", "rated": "on", "winner": "a",
        "note": "it was\nquick", "apply": "1",
    }  # fmt: skip
    assert (dict(swapped)["score_a"], dict(swapped)["score_b"]) == ("2", "5")
