"""Services with which staff manage the devices that use a personal link: allow, refuse, forget."""

from django.utils import timezone

from faults import Conflict, Missing
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.trail.phones import PhoneAllowed, PhoneRefused, PhonesRemoved
from tournaments.models import Entry, Event, LinkPhone, PhoneCode
from tournaments.selectors.access.phones import link_device_rows
from tournaments.store.lock import lock_for_staff, record_action


@durable
def allow_phone(*, actor: Actor, event_id: int, entry_id: int, number: int) -> Entry:
    """Allow a device to report results with the entry's personal link. Raises ``Conflict`` if it already may.

    ``number``: number of the device among those of the link.
    """
    event = lock_for_staff(actor, event_id)
    entry, row = _phone(event, entry_id, number)
    if row.way:
        raise Conflict("phone.in_already", number=number)
    row.way, row.since = LinkPhone.Way.DIRECTOR, timezone.now()
    row.save(update_fields=["way", "since"])
    record_action(event, actor=actor, action=PhoneAllowed(phone=number, way=row.way), subject=entry)
    return entry


@durable
def refuse_phone(*, actor: Actor, event_id: int, entry_id: int, number: int) -> Entry:
    """Refuse a device's request to use the entry's personal link, or remove a device that was allowed.

    ``number``: number of the device among those of the link. The device may request access again.
    """
    event = lock_for_staff(actor, event_id)
    entry, row = _phone(event, entry_id, number)
    row.way, row.link_version = "", 0
    row.save(update_fields=["way", "link_version"])
    PhoneCode.objects.filter(entry=entry, shown_by=number).delete()
    record_action(event, actor=actor, action=PhoneRefused(phone=number), subject=entry)
    return entry


@durable
def forget_phones(*, actor: Actor, event_id: int, entry_id: int) -> Entry:
    """Forget all devices of the entry's personal link.

    The next device that reports counts as the first again.

    Reports already made remain. Raises ``Conflict`` if the link has no devices.
    """
    event = lock_for_staff(actor, event_id)
    entry = _entry(event, entry_id)
    rows = [row for row in link_device_rows(entry) if row.link_version == entry.link_version]
    if not rows:
        raise Conflict("phone.none", name=entry.name)
    LinkPhone.objects.filter(pk__in=[row.pk for row in rows]).update(way="", link_version=0)
    PhoneCode.objects.filter(entry=entry).delete()
    record_action(event, actor=actor, action=PhonesRemoved(phones=len(rows)), subject=entry)
    return entry


def _entry(event: Event, entry_id: int) -> Entry:
    entry = one_or_none(Entry.objects.filter(pk=entry_id, division__event=event))
    if entry is None:
        raise Missing("entry.unknown")
    return entry


def _phone(event: Event, entry_id: int, number: int) -> tuple[Entry, LinkPhone]:
    """Return an entry of the locked event and a device, allowed or requesting, of the entry's current link.

    Raises ``Missing`` if there is no such device.
    """
    entry = _entry(event, entry_id)
    row = next(
        (
            phone
            for phone in link_device_rows(entry)
            if phone.number == number and phone.link_version == entry.link_version
        ),
        None,
    )
    if row is None:
        raise Missing("phone.unknown")
    return entry, row
