"""Headers that Django has no setting for."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# What a page of a club needs of a browser: keys for the sign-in, a copied link, a wall that fills the screen and stays awake.
_OURS = (
    "clipboard-write",
    "fullscreen",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "screen-wake-lock",
)
_NEVER = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "identity-credentials-get", "idle-detection", "magnetometer", "microphone", "midi", "payment", "serial", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
PERMISSIONS = ", ".join([*(f"{name}=(self)" for name in _OURS), *(f"{name}=()" for name in _NEVER)])
# A personal page reads the code of the opponent's phone, the desk those of the players.
READS_CODES = "/my/"
DESK_READS_CODES = "/check-in/"
WITH_CAMERA = PERMISSIONS.replace("camera=()", "camera=(self)")


def reads_codes(path: str) -> bool:
    """Whether a page may ask for the camera."""
    return path.startswith(READS_CODES) or path.endswith(DESK_READS_CODES)


def permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Every answer tells the browser what no page of this site ever asks of it, whatever might get into one."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        policy = WITH_CAMERA if reads_codes(request.path) else PERMISSIONS
        response.headers.setdefault("Permissions-Policy", policy)
        return response

    return middleware
