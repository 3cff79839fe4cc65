"""The base of every admin class of ours, so that the skin can be changed in one place."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import User
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import BadRequest, FieldDoesNotExist, ValidationError
from django.db.models import BinaryField, JSONField, Model, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, StackedInline, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

# The operator's environment, not the editors' desk.
admin.site.site_title = admin.site.site_header = "Wegweiser"
admin.site.index_title = _("Your desk")


class DeskAdmin(ModelAdmin):
    """The editors' desk: filters in a sheet, warnings before unsaved changes are lost, 50 rows a page."""

    list_per_page = 50
    list_filter_submit = True
    list_filter_sheet = True
    warn_unsaved_form = True
    compressed_fields = True
    show_full_result_count = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse what no filter of ours asks and what the database would answer with an error."""
        kind = lookup.rpartition("__")[2]
        is_wrong_year = kind == "year" and not re.fullmatch("[1-9][0-9]{3}", value, re.ASCII)
        if is_wrong_year or kind in ("range", "regex", "iregex") or self._has_no_words(lookup):
            return False
        return bool(super().lookup_allowed(lookup, value, request))

    def _has_no_words(self, lookup: str) -> bool:
        """Say whether a lookup begins at a list, a JSON value or bytes: an address cannot write such a value."""
        try:
            return isinstance(self.opts.get_field(lookup.partition("__")[0]), ArrayField | JSONField | BinaryField)
        except FieldDoesNotExist:
            return False

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponseBase | None:
        """Refuse hand-made rows before the database is asked for them."""
        key = self.opts.pk
        try:
            for value in request.POST.getlist(ACTION_CHECKBOX_NAME):
                key.run_validators(key.to_python(value))
        except ValidationError as error:
            raise BadRequest("A chosen row has no such number.") from error
        answer: HttpResponseBase | None = super().response_action(request, queryset)
        return answer


class StateColours(dict[str, str]):
    """Colours of some states in a list, for ``display(label=…)``; every other state is plain.

    Of a state that a bare mapping lacks, Unfold shows the stored value instead of its word.
    """

    def __missing__(self, state: str) -> str:
        return ""


class ReadOnlyAdmin(DeskAdmin):
    """For rows that only the machine writes."""

    def has_add_permission(self, request: Any) -> bool:
        return False

    def has_change_permission(self, request: Any, obj: Model | None = None) -> bool:
        return False


class DeskTabularInline(TabularInline):
    """Rows in a table below the form."""

    extra = 0


class DeskStackedInline(StackedInline):
    """Forms below the form."""

    extra = 0


admin.site.unregister(User)


@admin.register(User)
class UserAdmin(DjangoUserAdmin, DeskAdmin):
    """Accounts. Who manages them cannot give what nobody gave them: only a superuser makes or touches superusers."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        fields = [*super().get_readonly_fields(request, obj)]
        if request.user.is_superuser:
            return fields
        # Others get their rights by groups, and nobody gives a group to themselves.
        return [*fields, "is_superuser", "user_permissions", *(["groups"] if obj == request.user else [])]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return self._may_touch(request, obj) and bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return self._may_touch(request, obj) and bool(super().has_delete_permission(request, obj))

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Without superusers for everybody else, so that no action over many rows reaches them."""
        users: QuerySet[User] = super().get_queryset(request)
        return users if request.user.is_superuser else users.filter(is_superuser=False)

    @staticmethod
    def _may_touch(request: HttpRequest, user: User | None) -> bool:
        return user is None or not user.is_superuser or bool(request.user.is_superuser)
