"""The one page that belongs to no app: the API's description."""

from csp.constants import SELF
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.renderers import TemplateHTMLRenderer


# The viewer brings a style sheet inside the page; its script comes from a URL of its own, so scripts stay strict.
@method_decorator(csp_update({"style-src": [SELF, "'unsafe-inline'"]}), name="dispatch")
class ApiPage(SpectacularSwaggerSplitView):
    renderer_classes = [TemplateHTMLRenderer]
    http_method_names = ["get", "head"]  # what else the framework answers has no template
