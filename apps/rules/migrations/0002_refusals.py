"""What the database itself refuses, whoever writes: cycles, deep trees, one question in two rules, a changed release.

The details are JSON for apps/rules/services/refusals.py. The lock is that of apps/rules/services/locking.py: without it
two transactions could each add half a cycle and neither would see the other's half.
"""

from django.db import migrations

STANDING = """
CREATE FUNCTION rules_common(one text[], other text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN cardinality(other) = 0 THEN one WHEN one IS NULL THEN other
              ELSE ARRAY(SELECT unnest(one) INTERSECT SELECT unnest(other)) END
$$;

CREATE FUNCTION rules_meet(one text[], other text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN one IS NULL OR other IS NULL THEN one IS DISTINCT FROM '{}' AND other IS DISTINCT FROM '{}'
              ELSE one && other END
$$;

-- What holds for a rule together with those above it. NULL is no limit, an empty array lets nobody through.
CREATE FUNCTION rules_standing(node bigint, OUT claims boolean, OUT since timestamptz, OUT until timestamptz,
                               OUT languages text[], OUT audiences text[], OUT choices text[])
LANGUAGE plpgsql STABLE AS $$
DECLARE
  step record;
  levels integer := 0;
BEGIN
  claims := true; since := '-infinity'; until := 'infinity';
  WHILE node IS NOT NULL AND levels < 64 LOOP
    SELECT * INTO step FROM rules_rule WHERE id = node;
    EXIT WHEN NOT FOUND;
    claims := claims AND step.status IN ('draft', 'active');
    since := greatest(since, step.valid_from);
    until := least(until, step.valid_until);
    languages := rules_common(languages, step.languages::text[]);
    audiences := rules_common(audiences, step.audiences::text[]);
    choices := rules_common(choices, step.builder_choices::text[]);
    node := step.parent_id;
    levels := levels + 1;
  END LOOP;
END $$;

CREATE FUNCTION rules_overlap(one bigint, other bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT a.claims AND b.claims AND greatest(a.since, b.since) < least(a.until, b.until)
     AND rules_meet(a.languages, b.languages) AND rules_meet(a.audiences, b.audiences)
     AND rules_meet(a.choices, b.choices)
  FROM rules_standing(one) a, rules_standing(other) b
$$;
"""
FORGET_STANDING = """
DROP FUNCTION rules_overlap(bigint, bigint);
DROP FUNCTION rules_standing(bigint);
DROP FUNCTION rules_meet(text[], text[]);
DROP FUNCTION rules_common(text[], text[]);
"""

PARENTS = """
CREATE FUNCTION rules_refuse_parent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own record;
  step record;
  node bigint;
  names text[];
  uids text[] := '{}';
  levels integer;
BEGIN
  PERFORM pg_advisory_xact_lock(6410003);
  -- Deferred, it may come long after the row: what counts is how the row is now.
  SELECT id, uid, title, parent_id INTO own FROM rules_rule WHERE id = NEW.id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  names := ARRAY[own.title::text];
  node := own.parent_id;
  levels := 1;
  WHILE node IS NOT NULL AND levels < 64 LOOP
    SELECT id, uid, title, parent_id INTO step FROM rules_rule WHERE id = node;
    EXIT WHEN NOT FOUND;
    names := names || step.title::text;
    IF step.id = own.id THEN
      RAISE EXCEPTION 'The rule "%" cannot stand below itself: %. Choose another rule above it.',
        own.title, array_to_string(names, ' → ')
        USING ERRCODE = 'check_violation', CONSTRAINT = 'rule_parent_cycle', TABLE = 'rules_rule',
              DETAIL = json_build_object('uid', own.uid, 'others', uids, 'path', array_to_string(names, ' → '))::text;
    END IF;
    uids := uids || step.uid::text;
    levels := levels + 1;
    node := step.parent_id;
  END LOOP;
  WITH RECURSIVE below(id, level) AS (
    SELECT own.id, 0
    UNION ALL
    SELECT child.id, below.level + 1 FROM rules_rule child JOIN below ON child.parent_id = below.id
    WHERE below.level < 6
  )
  SELECT levels + max(level) INTO levels FROM below;
  IF levels > 5 THEN
    RAISE EXCEPTION 'With the rule "%" the tree has % levels, but 5 are the most. Choose a rule further up.',
      own.title, levels
      USING ERRCODE = 'check_violation', CONSTRAINT = 'rule_too_deep', TABLE = 'rules_rule',
            DETAIL = json_build_object('uid', own.uid, 'levels', levels, 'most', 5)::text;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER rule_parent_new AFTER INSERT ON rules_rule
  DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION rules_refuse_parent();
CREATE CONSTRAINT TRIGGER rule_parent_moved AFTER UPDATE ON rules_rule
  DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id)
  EXECUTE FUNCTION rules_refuse_parent();
"""
FORGET_PARENTS = """
DROP TRIGGER rule_parent_moved ON rules_rule;
DROP TRIGGER rule_parent_new ON rules_rule;
DROP FUNCTION rules_refuse_parent();
"""

PHRASES = """
-- Thousands of times in an import: planned once, by the index, whatever the tables were when it was planned. No LIMIT:
-- for the first of few rows the planner would walk through all of them in order.
CREATE FUNCTION rules_refuse_shared(phrase bigint) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  own record;
  holder record;
  holders bigint[];
BEGIN
  SELECT own_phrase.rule_id, own_phrase.text, own_phrase.keys, rule.uid INTO own
    FROM rules_triggerphrase own_phrase JOIN rules_rule rule ON rule.id = own_phrase.rule_id
   WHERE own_phrase.id = phrase;
  IF NOT FOUND THEN
    -- Gone again in the same transaction, or written before its rule: then nobody would look at it later.
    IF EXISTS (SELECT 1 FROM rules_triggerphrase WHERE id = phrase) THEN
      RAISE EXCEPTION 'A phrase is written after its rule.' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN;
  END IF;
  SELECT array_agg(other.rule_id) INTO holders FROM rules_triggerphrase other
   WHERE other.keys && own.keys AND other.rule_id <> own.rule_id AND rules_overlap(own.rule_id, other.rule_id);
  IF holders IS NULL THEN RETURN; END IF;
  SELECT uid, title INTO holder FROM rules_rule WHERE id = ANY (holders) ORDER BY uid LIMIT 1;
  RAISE EXCEPTION 'The rule "%" has the phrase "%" too. Change one of them or archive a rule.', holder.title, own.text
    USING ERRCODE = 'unique_violation', CONSTRAINT = 'rule_phrase_in_other_rule', TABLE = 'rules_triggerphrase',
          DETAIL = json_build_object('uid', own.uid, 'others', ARRAY[holder.uid], 'phrase', own.text,
                                     'rule', holder.title)::text;
END $$;

CREATE FUNCTION rules_refuse_phrase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(6410003);
  PERFORM rules_refuse_shared(NEW.id);
  RETURN NULL;
END $$;

-- A rule that wakes up, moves or widens brings the phrases of all rules below it into play.
CREATE FUNCTION rules_refuse_phrases_below() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(6410003);
  PERFORM rules_refuse_shared(own.id) FROM rules_triggerphrase own
    WHERE own.rule_id IN (
      WITH RECURSIVE below(id) AS (
        SELECT NEW.id
        UNION
        SELECT child.id FROM rules_rule child JOIN below ON child.parent_id = below.id
      )
      SELECT id FROM below
    );
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER phrase_taken AFTER INSERT OR UPDATE ON rules_triggerphrase
  DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION rules_refuse_phrase();
CREATE CONSTRAINT TRIGGER rule_phrases_changed AFTER UPDATE ON rules_rule
  DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW
  WHEN ((OLD.parent_id, OLD.status, OLD.valid_from, OLD.valid_until, OLD.languages, OLD.audiences, OLD.builder_choices)
    IS DISTINCT FROM
        (NEW.parent_id, NEW.status, NEW.valid_from, NEW.valid_until, NEW.languages, NEW.audiences, NEW.builder_choices))
  EXECUTE FUNCTION rules_refuse_phrases_below();
"""
FORGET_PHRASES = """
DROP TRIGGER rule_phrases_changed ON rules_rule;
DROP TRIGGER phrase_taken ON rules_triggerphrase;
DROP FUNCTION rules_refuse_phrases_below();
DROP FUNCTION rules_refuse_phrase();
DROP FUNCTION rules_refuse_shared(bigint);
"""

HISTORY = """
CREATE FUNCTION rules_refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
  ELSIF TG_TABLE_NAME = 'rules_ruleversion' THEN
    IF NOT EXISTS (SELECT 1 FROM rules_releaserule WHERE version_id = OLD.id) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'What was released or saved as a version stays as it was. Save or publish anew instead.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'rule_history_stays', TABLE = TG_TABLE_NAME;
END $$;

CREATE FUNCTION rules_note_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('rules.new_releases', concat(current_setting('rules.new_releases', true), ' ', NEW.id, ' '), true);
  RETURN NULL;
END $$;

-- Only the transaction that makes a release may fill it.
CREATE FUNCTION rules_refuse_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT'
     AND strpos(coalesce(current_setting('rules.new_releases', true), ''), concat(' ', NEW.release_id, ' ')) > 0 THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'A release never changes. Publish a new one instead.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'rule_history_stays', TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER rule_version_stays BEFORE UPDATE OR DELETE ON rules_ruleversion
  FOR EACH ROW EXECUTE FUNCTION rules_refuse_rewriting();
CREATE TRIGGER release_stays BEFORE UPDATE OR DELETE ON rules_release
  FOR EACH ROW EXECUTE FUNCTION rules_refuse_rewriting();
CREATE TRIGGER release_made AFTER INSERT ON rules_release
  FOR EACH ROW EXECUTE FUNCTION rules_note_release();
CREATE TRIGGER release_entries_stay BEFORE INSERT OR UPDATE OR DELETE ON rules_releaserule
  FOR EACH ROW EXECUTE FUNCTION rules_refuse_entry();
"""
FORGET_HISTORY = """
DROP TRIGGER release_entries_stay ON rules_releaserule;
DROP TRIGGER release_made ON rules_release;
DROP TRIGGER release_stays ON rules_release;
DROP TRIGGER rule_version_stays ON rules_ruleversion;
DROP FUNCTION rules_refuse_entry();
DROP FUNCTION rules_note_release();
DROP FUNCTION rules_refuse_rewriting();
"""

DOCUMENTS = """
-- A document that comes back under its old name is linked again.
CREATE FUNCTION rules_relink_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE rules_ruledocument SET document_id = NEW.id WHERE document_uuid = NEW.uuid AND document_id IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER document_relinked AFTER INSERT ON documents_document
  FOR EACH ROW EXECUTE FUNCTION rules_relink_document();
"""
FORGET_DOCUMENTS = """
DROP TRIGGER document_relinked ON documents_document;
DROP FUNCTION rules_relink_document();
"""


class Migration(migrations.Migration):
    dependencies = [("rules", "0001_tables")]
    operations = [
        migrations.RunSQL(STANDING, FORGET_STANDING),
        migrations.RunSQL(PARENTS, FORGET_PARENTS),
        migrations.RunSQL(PHRASES, FORGET_PHRASES),
        migrations.RunSQL(HISTORY, FORGET_HISTORY),
        migrations.RunSQL(DOCUMENTS, FORGET_DOCUMENTS),
    ]
