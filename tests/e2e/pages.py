"""What people do on the site, in their words: ``director.signs_in(user)``, ``ann.reports("I won", 7, 4)``.

Each class is a person at a window of their own. Methods do what a hand does (click, type, choose) and come back when the
page that answers is there; what a test claims is asserted in the test.
"""

import re

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, expect

from people.models import User
from tests.e2e.visitors import House, Visitor
from tournaments.engine.statuses import MatchStatus
from tournaments.models import Entry, Event, Match, MatchSlot
from tournaments.selectors.access.links import entry_token

PASSWORD = "a-long-password"  # of everybody made by ``tests.factories.a_user``


class Person:
    """Somebody with a window; everything a visitor can do, and more words in the classes below."""

    def __init__(self, house: House, name: str, **window: object) -> None:
        self.visitor: Visitor = house.visitor(name, **window)
        self.page = self.visitor.page
        self.name = name

    def goes_to(self, address: str) -> "Person":
        self.visitor.goes_to(address)
        return self

    def may_see(self, *statuses: int) -> "Person":
        self.visitor.may_see(*statuses)
        return self

    def clicks(self, words: str) -> "Person":
        self.visitor.clicks(words)
        return self

    def follows(self, words: str) -> "Person":
        self.visitor.follows(words)
        return self

    def sends(self, words: str) -> "Person":
        self.visitor.sends(words)
        return self

    def fills(self, **fields: str | int) -> "Person":
        self.visitor.fills(**fields)
        return self

    def reads(self, words: str) -> "Person":
        self.visitor.reads(words)
        return self

    def does_not_read(self, words: str) -> "Person":
        self.visitor.does_not_read(words)
        return self


class Member(Person):
    """Somebody with an account, or about to have one."""

    def signs_up(self, email: str, password: str) -> "Member":
        self.goes_to("/").follows("Sign in").follows("Create an account")
        self.fills(name="Ada Abell", email=email, password1=password, password2=password).sends(
            "Create account"
        )
        return self

    def signs_in(self, user: User | str, password: str = PASSWORD) -> "Member":
        self.goes_to(reverse("account_login"))
        self.fills(login=str(getattr(user, "email", user)), password=password).sends("Sign in")
        return self

    def signs_out(self) -> "Member":
        self.opens_account_menu()
        with self.page.expect_navigation():
            self.clicks("Sign out")
        return self

    def opens_account_menu(self) -> "Member":
        self.page.locator("header details.menu:not(.app-nav-menu) > summary").click()
        return self

    def is_signed_in(self) -> bool:
        return self.page.locator("header details.menu:not(.app-nav-menu)").count() == 1


class Phone(Person):
    """A player with the personal link of an entry."""

    def __init__(self, house: House, name: str, entry: Entry | None = None, **window: object) -> None:
        super().__init__(house, name, **{"phone": True, **window})
        self.entry = entry

    @property
    def address(self) -> str:
        assert self.entry is not None
        return reverse("player:home", args=[entry_token(self.entry)])

    def opens(self, address: str = "") -> "Phone":
        """The personal page, by the link the director handed out."""
        self.goes_to(address or self.address)
        return self

    def card(self, match: Match | None = None) -> Locator:
        """The match to play now, as this player sees it."""
        cards = self.page.locator("section.my-match")
        return cards.filter(has=self.page.locator(f"#m-{match.public_id}")) if match else cards.first

    def reports(self, words: str, mine: int, theirs: int) -> "Phone":
        """“I won”, seven to four, in the form of the match that is open."""
        card = self.card()
        # After somebody has spoken the form is folded away.
        fold = card.locator(
            "details:not([open]) > summary",
            has_text=re.compile("Report a different result|Change my result|Report result"),
        )
        if fold.count():
            fold.first.click()
        form = card.locator("form.report-form")
        if not form.is_visible():
            card.get_by_role("link", name="Report result").click()
        form.locator("label.report-side").nth(0 if words == "I won" else 1).click()
        form.locator("label.report-point", has_text=re.compile(rf"^\s*{min(mine, theirs)}\s*$")).click()
        with self.page.expect_navigation():
            form.get_by_role("button", name="Send result").click()
        return self

    def agrees(self) -> "Phone":
        with self.page.expect_navigation():
            self.card().get_by_role("button", name=re.compile(r"^Yes, I (won|lost) \d+–\d+$")).click()
        return self

    def joins(self, address: str, name: str) -> "Phone":
        """Self-registration by the link on the poster."""
        self.goes_to(address)
        self.fills(name=name)
        self.page.get_by_label("My name may be shown on displays").last.check()
        self.sends("Enter")
        return self


class Evening:
    """The event under way, with the phones of those who play."""

    def __init__(self, house: House, event: Event) -> None:
        self.house = house
        self.event = event
        self.phones: dict[int, Phone] = {}

    def phone_of(self, match: Match, side: str) -> Phone:
        """The phone of the player on this side, with the personal page open."""
        entry = MatchSlot.objects.get(match=match, side=side).entry
        assert entry is not None
        if entry.pk not in self.phones:
            self.phones[entry.pk] = Phone(self.house, entry.name, entry)
        return self.phones[entry.pk].opens()

    def playable(self) -> list[Match]:
        matches = Match.objects.filter(stage__division__event=self.event, status=MatchStatus.READY)
        return list(matches.order_by("number"))

    def agree_on(self, match: Match, winner: str, loser_score: int) -> None:
        """The winner reports, the opponent confirms with one tap."""
        loser = "b" if winner == "a" else "a"
        won = self.phone_of(match, winner)
        won.reports("I won", match.length, loser_score).reads("Sent.")
        lost = self.phone_of(match, loser)
        lost.reads(f"{won.name} reported:").agrees().reads("The result is confirmed.")


class Spectator(Person):
    """Somebody who watches the public pages and touches nothing."""

    def watches(self, event: Event, page: str = "event") -> "Spectator":
        self.goes_to(reverse(f"public:{page}", args=[event.public_id]))
        expect(self.page.locator("[data-live]")).to_have_count(1)
        self.visitor.marks_window()
        return self

    def sees(self, words: str) -> "Spectator":
        expect(self.page.locator("[data-live-region]").first).to_contain_text(words)
        return self


class Director(Member):
    """Who runs the event."""

    event: Event

    def founds_club(self, name: str) -> "Director":
        """From the welcome of the first sign-in."""
        self.goes_to(reverse("director:home")).follows("Create a club")
        self.fills(name=name, city="Turku", country="FI").sends("Create club")
        return self

    def creates_event(
        self, name: str, lengths: str, *, kind: str = "Knockout", day: str = "", **more: str
    ) -> "Director":
        """An event of the kind that is chosen by its card, today unless another ``day`` is given."""
        if not self.page.url.endswith("/events/new/"):  # where founding a club leads
            self.follows("Create an event" if self.offers("Create an event") else "New event")
        self.follows(kind)
        day = day or str(timezone.now().date())
        self.fills(name=name, starts_on=day, ends_on=day, lengths=lengths, **more)
        self.sends("Create event")
        self.reads(name)
        self.event = Event.objects.get(name=name)
        return self

    def offers(self, words: str) -> bool:
        """Whether a link of these words is on the page."""
        return self.page.get_by_role("link", name=words, exact=True).count() > 0

    def opens(self, page: str, **more: str) -> "Director":
        """A tab of the event."""
        self.goes_to(reverse(f"director:{page}", kwargs={"event": self.event.public_id, **more}))
        return self

    def types_name(self, name: str, *, choosing: str = "") -> "Director":
        """One player by typing; ``choosing`` picks somebody known from the list that opens."""
        field = self.page.locator("#id_name")
        field.press_sequentially(name)
        if choosing:
            expect(
                self.page.get_by_role("option", name=re.compile(re.escape(choosing))).first
            ).to_be_visible()
            field.press("ArrowDown")
            with self.page.expect_navigation():
                field.press("Enter")
        else:
            field.press("Escape")
            self.sends("Add")
        return self

    def pastes(self, *names: str) -> "Director":
        self.opens("paste").fills(list="\n".join(names)).sends("Preview")
        agreed = self.page.get_by_label("The new players have agreed to a public page")
        if agreed.count():
            agreed.check()
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=re.compile(r"^Import \d+ players?$")).first.click()
        return self

    def draws(self) -> "Director":
        self.opens("draw").sends("Make the draw")
        return self

    def publishes(self) -> "Director":
        self.opens("draw").sends("Publish the draw")
        return self

    def records(self, match: Match, score_a: int, score_b: int) -> "Director":
        self.opens("match", match=match.public_id)
        self.fills(score_a=score_a, score_b=score_b).sends("Record result")
        return self

    def asks_to_correct(self, match: Match, score_a: int, score_b: int) -> "Director":
        """Another score for a confirmed match: back with the page that shows what it changes."""
        self.opens("match", match=match.public_id)
        self.page.locator("summary", has_text="Correct result").click()
        self.fills(score_a=score_a, score_b=score_b).sends("Preview changes")
        return self

    def chooses(self, words: str) -> "Director":
        """One of the choices of a form, by its first words."""
        self.page.locator("label.choice", has_text=words).first.click()
        return self

    def enters_late(self, name: str, *, beside: str) -> "Director":
        """Somebody new on the free bye of ``beside``."""
        self.opens("entries").follows("Late entry").reads("Bracket line")
        self.page.locator("#id_name").fill(name)
        self.page.locator("#id_name").press("Escape")
        self.chooses(beside)
        self.sends("Add to the draw").reads(f"{name} is now in the draw")
        return self

    def decides_for(self, match: Match, name: str) -> "Director":
        """“Use this result” at what ``name`` said."""
        self.opens("match", match=match.public_id)
        claim = self.page.locator("article.claim").filter(has_text=name).first
        with self.page.expect_navigation():
            claim.get_by_role("button", name="Use this result").click()
        return self
