"""HTTP response headers that Django has no setting for."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Browser features in use: keys for sign-in, the clipboard, a display in full screen that stays awake.
_ALLOWED_FEATURES = (
    "clipboard-write",
    "fullscreen",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "screen-wake-lock",
)
_DENIED_FEATURES = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "identity-credentials-get", "idle-detection", "magnetometer", "microphone", "midi", "payment", "serial", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
PERMISSIONS = ", ".join(
    [*(f"{name}=(self)" for name in _ALLOWED_FEATURES), *(f"{name}=()" for name in _DENIED_FEATURES)]
)
# A personal page reads the code of the opponent's phone, check-in those of the players.
SCANNER_PREFIX = "/my/"
SCANNER_SUFFIX = "/check-in/"
CAMERA_PERMISSIONS = PERMISSIONS.replace("camera=()", "camera=(self)")


def may_use_camera(path: str) -> bool:
    """Return whether the page at ``path`` may use the camera."""
    return path.startswith(SCANNER_PREFIX) or path.endswith(SCANNER_SUFFIX)


def permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware that adds the header Permissions-Policy with the few features that pages use."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        policy = CAMERA_PERMISSIONS if may_use_camera(request.path) else PERMISSIONS
        response.headers.setdefault("Permissions-Policy", policy)
        return response

    return middleware
