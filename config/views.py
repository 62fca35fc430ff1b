"""The pages that belong to no app: the API's description, and the words of all that it refuses."""

from csp.constants import SELF
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.messages import every_text


# The viewer brings a style sheet inside the page; its script comes from a URL of its own, so scripts stay strict.
@method_decorator(csp_update({"style-src": [SELF, "'unsafe-inline'"]}), name="dispatch")
class ApiPage(SpectacularSwaggerSplitView):
    renderer_classes = [TemplateHTMLRenderer]
    http_method_names = ["get", "head"]  # what else the framework answers has no template


@extend_schema(exclude=True)
class ProblemPage(APIView):
    """Where the ``type`` of a refusal leads: every code, and what is said with it."""

    renderer_classes = (TemplateHTMLRenderer,)

    def get(self, request: Request) -> Response:  # noqa: ARG002 (the framework's signature)
        return Response({"texts": every_text()}, template_name="problems.html")
