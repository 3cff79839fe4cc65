"""What the database itself sees to: activated settings never change, and every change of the sources is counted."""

from django.db import migrations

HISTORY = """
CREATE FUNCTION answering_refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.number IS NULL THEN RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END IF;
  IF TG_OP = 'UPDATE' THEN
    IF NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
    -- An account that is deleted leaves its name behind and takes nothing but the key.
    IF NEW.author_id IS NULL THEN
      NEW.author_id := OLD.author_id;
      IF NEW IS NOT DISTINCT FROM OLD THEN
        NEW.author_id := NULL;
        RETURN NEW;
      END IF;
    END IF;
  END IF;
  RAISE EXCEPTION 'Settings that were activated stay as they were. Activate a new version instead.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'answer_settings_stay', TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER answer_settings_stay BEFORE UPDATE OR DELETE ON answering_answersettings
  FOR EACH ROW EXECUTE FUNCTION answering_refuse_rewriting();
"""
FORGET_HISTORY = """
DROP TRIGGER answer_settings_stay ON answering_answersettings;
DROP FUNCTION answering_refuse_rewriting();
"""

COUNTING = """
-- Once a transaction is enough. Now and then the rows are added up; those that somebody else is adding up are left.
CREATE FUNCTION answering_count_change() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('answering.counted', true) = pg_current_xact_id()::text THEN RETURN; END IF;
  PERFORM set_config('answering.counted', pg_current_xact_id()::text, true);
  INSERT INTO answering_sourcechange (changes) VALUES (1);
  IF (SELECT count(*) FROM answering_sourcechange) > 200 THEN
    WITH gone AS (
      DELETE FROM answering_sourcechange
      WHERE id IN (SELECT id FROM answering_sourcechange FOR UPDATE SKIP LOCKED) RETURNING changes
    )
    INSERT INTO answering_sourcechange (changes) SELECT sum(changes) FROM gone HAVING count(*) > 0;
  END IF;
END $$;

CREATE FUNCTION answering_note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM touched) THEN PERFORM answering_count_change(); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION answering_note_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM answering_count_change();
  RETURN NULL;
END $$;

-- Reading a document changes its progress many times, and a link is looked at every night: no answer differs by that.
CREATE FUNCTION answering_note_difference() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  idle CONSTANT text[] := ARRAY['status', 'progress', 'reason', 'reason_code', 'updated_at', 'pending_version_id',
                                'edited_fields', 'checked_at', 'failures'];
BEGIN
  IF EXISTS (
    SELECT 1 FROM touched JOIN before USING (id) WHERE to_jsonb(touched) - idle IS DISTINCT FROM to_jsonb(before) - idle
  ) THEN
    PERFORM answering_count_change();
  END IF;
  RETURN NULL;
END $$;
"""
FORGET_COUNTING = """
DROP FUNCTION answering_note_difference();
DROP FUNCTION answering_note_truncation();
DROP FUNCTION answering_note_change();
DROP FUNCTION answering_count_change();
"""

# Table and what happens to it. A chunk is not found before the word index has it and its document names its version.
WATCHED = (
    ("documents_indexedchunk", ("INSERT", "DELETE")),
    ("documents_chunk", ("UPDATE", "DELETE")),
    ("documents_documentversion", ("UPDATE",)),
    ("documents_document", ("DELETE",)),
    ("documents_collection", ("UPDATE",)),
    ("documents_party", ("INSERT", "UPDATE", "DELETE")),
    ("documents_curatedlink", ("INSERT", "DELETE")),
    ("documents_curatedlink_parties", ("INSERT", "DELETE")),
)
COMPARED = ("documents_document", "documents_curatedlink")


def _watching() -> list[tuple[str, str, str]]:
    """Return the name of each trigger with what makes and what drops it."""
    found = []
    for table, events in WATCHED:
        for event in events:
            name = f"answers_note_{event.lower()}"
            rows = "OLD" if event == "DELETE" else "NEW"
            found.append(
                (
                    f"CREATE TRIGGER {name} AFTER {event} ON {table} REFERENCING {rows} TABLE AS touched "
                    "FOR EACH STATEMENT EXECUTE FUNCTION answering_note_change();",
                    name,
                    table,
                )
            )
    found += [
        (
            f"CREATE TRIGGER answers_note_difference AFTER UPDATE ON {table} REFERENCING OLD TABLE AS before "
            "NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION answering_note_difference();",
            "answers_note_difference",
            table,
        )
        for table in COMPARED
    ]
    found.append(
        (
            "CREATE TRIGGER answers_note_truncate AFTER TRUNCATE ON documents_indexedchunk "
            "FOR EACH STATEMENT EXECUTE FUNCTION answering_note_truncation();",
            "answers_note_truncate",
            "documents_indexedchunk",
        )
    )
    return found


class Migration(migrations.Migration):
    dependencies = [("answering", "0001_tables"), ("documents", "0013_link_checks")]
    operations = [
        migrations.RunSQL(HISTORY, FORGET_HISTORY),
        migrations.RunSQL(COUNTING, FORGET_COUNTING),
        migrations.RunSQL(
            "\n".join(made for made, _, _ in _watching()),
            "\n".join(f"DROP TRIGGER {name} ON {table};" for _, name, table in _watching()),
        ),
    ]
