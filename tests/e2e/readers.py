"""What axe-core, the checker of the accessibility rules (WCAG 2.2 A and AA and its own good practices), says of a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_AXE = Axe()
COLOURS = {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": ["color-contrast"]}}
# Colours on their way from one scheme to the other are neither's; one that has arrived may set another on its way.
SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  for (let moving; (moving = document.getAnimations().filter((one) => one instanceof CSSTransition)).length; await frame())
    moving.forEach((one) => one.finish());
}"""


def violations(page: Page) -> list[str]:
    """All rules in the colours the page stands in, and the contrast once more in the others; one line for each node."""
    found = _comparable(_AXE.run(page).response["violations"])
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme="light" if dark else "dark")
    page.evaluate(SETTLED)
    found += _comparable(_AXE.run(page, options=COLOURS).response["violations"])
    page.emulate_media(color_scheme="dark" if dark else "light")
    return found


def _comparable(rules: list[dict[str, object]]) -> list[str]:
    return [
        f"{rule['id']}: {node['html'][:120]} {' '.join(str(node.get('failureSummary', '')).split())[:160]}"
        for rule in rules
        for node in rule["nodes"]
    ]
