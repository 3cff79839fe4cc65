"""The form of a curated link: an uploaded picture is made small before it is stored."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from apps.documents.link_pictures import PictureError, small_picture
from apps.documents.models import CuratedLink


class CuratedLinkForm(forms.ModelForm):  # type: ignore[type-arg]
    """A link as the desk writes it."""

    class Meta:
        model = CuratedLink
        fields = ("title", "address", "teaser", "picture", "valid_from", "valid_until", "parties")

    def clean_picture(self) -> Any:
        """Return the picture in our own form; what was there already stays as it is."""
        given = self.cleaned_data.get("picture")
        if not isinstance(given, UploadedFile):
            return given
        try:
            name, content = small_picture(given.read())
        except PictureError as error:
            message = _("This is no picture that we can show. Choose a JPEG, PNG or WebP file of up to 5 MB.")
            raise forms.ValidationError(message, code="picture") from error
        return ContentFile(content, name)
