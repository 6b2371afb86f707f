-- Bloom filters: docs/sql.md describes each function.
\echo Use "CREATE EXTENSION bloomery" to load this file. \quit

-- The type: the bytes of a native file, checked by the loader wherever they come from.
CREATE TYPE bloom;

CREATE FUNCTION bloom_in(cstring) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_out(bloom) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_recv(internal) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_send(bloom) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Bits do not compress, so the server need not try.
CREATE TYPE bloom (
    INPUT = bloom_in, OUTPUT = bloom_out, RECEIVE = bloom_recv, SEND = bloom_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);
COMMENT ON TYPE bloom IS 'a Bloom filter';

CREATE FUNCTION bloom_from_bytea(bytea) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_to_bytea(bloom) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE CAST (bytea AS bloom) WITH FUNCTION bloom_from_bytea(bytea) AS ASSIGNMENT;
CREATE CAST (bloom AS bytea) WITH FUNCTION bloom_to_bytea(bloom) AS ASSIGNMENT;

-- Equality is that of the bytes: for DISTINCT, GROUP BY, and replication without a primary key.
CREATE FUNCTION bloom_eq(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_ne(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_hash(bloom) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_hash_extended(bloom, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE OPERATOR = (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES
);
CREATE OPERATOR <> (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR CLASS bloom_hash_ops DEFAULT FOR TYPE bloom USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 bloom_hash(bloom),
    FUNCTION 2 bloom_hash_extended(bloom, bigint);

-- Making filters.
CREATE FUNCTION bloom_new(n bigint) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_new(n bigint, p double precision) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_new(n bigint, p double precision, options text) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION bloom_agg_serial_transition(internal, anyelement) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_agg_serial_transition(internal, anyelement, text) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_agg_transition(internal, anyelement, bigint) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_agg_transition(internal, anyelement, bigint, double precision)
    RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_agg_transition(internal, anyelement, bigint, double precision, text)
    RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_union_agg_transition(internal, bloom) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_agg_final(internal) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_agg_combine(internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION bloom_agg_serialize(internal) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_agg_deserialize(bytea, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Without n it grows, and the order of the keys decides which are in which layer, so these are not
-- parallel.
CREATE AGGREGATE bloom_agg(key anyelement) (
    SFUNC = bloom_agg_serial_transition, STYPE = internal, SSPACE = 20000,
    FINALFUNC = bloom_agg_final, PARALLEL = SAFE
);
CREATE AGGREGATE bloom_agg(key anyelement, options text) (
    SFUNC = bloom_agg_serial_transition, STYPE = internal, SSPACE = 20000,
    FINALFUNC = bloom_agg_final, PARALLEL = SAFE
);
CREATE AGGREGATE bloom_agg(key anyelement, n bigint) (
    SFUNC = bloom_agg_transition, STYPE = internal, SSPACE = 20000, FINALFUNC = bloom_agg_final,
    COMBINEFUNC = bloom_agg_combine, SERIALFUNC = bloom_agg_serialize,
    DESERIALFUNC = bloom_agg_deserialize, PARALLEL = SAFE
);
CREATE AGGREGATE bloom_agg(key anyelement, n bigint, p double precision) (
    SFUNC = bloom_agg_transition, STYPE = internal, SSPACE = 20000, FINALFUNC = bloom_agg_final,
    COMBINEFUNC = bloom_agg_combine, SERIALFUNC = bloom_agg_serialize,
    DESERIALFUNC = bloom_agg_deserialize, PARALLEL = SAFE
);
CREATE AGGREGATE bloom_agg(key anyelement, n bigint, p double precision, options text) (
    SFUNC = bloom_agg_transition, STYPE = internal, SSPACE = 20000, FINALFUNC = bloom_agg_final,
    COMBINEFUNC = bloom_agg_combine, SERIALFUNC = bloom_agg_serialize,
    DESERIALFUNC = bloom_agg_deserialize, PARALLEL = SAFE
);
CREATE AGGREGATE bloom_union_agg(filter bloom) (
    SFUNC = bloom_union_agg_transition, STYPE = internal, SSPACE = 20000,
    FINALFUNC = bloom_agg_final, COMBINEFUNC = bloom_agg_combine,
    SERIALFUNC = bloom_agg_serialize, DESERIALFUNC = bloom_agg_deserialize, PARALLEL = SAFE
);

-- Changing them.
CREATE FUNCTION bloom_add(filter bloom, key text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'bloom_add_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_add(filter bloom, key anyelement) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_merge(a bloom, b bloom) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_intersect(a bloom, b bloom) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Asking them. Built-in operators cost 1; a filter is asked before them.
CREATE FUNCTION bloom_contains_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_contained_in_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_contains_selectivity(internal, oid, internal, integer)
    RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_contained_in_selectivity(internal, oid, internal, integer)
    RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_contains(filter bloom, key text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'bloom_contains_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 0.9 SUPPORT bloom_contains_support;
CREATE FUNCTION bloom_contains(filter bloom, key anyelement) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 0.9 SUPPORT bloom_contains_support;
CREATE FUNCTION bloom_contained_in(key text, filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'bloom_contained_in_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 0.9 SUPPORT bloom_contained_in_support;
CREATE FUNCTION bloom_contained_in(key anyelement, filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 0.9 SUPPORT bloom_contained_in_support;

CREATE OPERATOR @> (
    LEFTARG = bloom, RIGHTARG = text, FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = bloom_contains_selectivity
);
CREATE OPERATOR <@ (
    LEFTARG = text, RIGHTARG = bloom, FUNCTION = bloom_contained_in, COMMUTATOR = @>,
    RESTRICT = bloom_contained_in_selectivity
);
CREATE OPERATOR @> (
    LEFTARG = bloom, RIGHTARG = anyelement, FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = bloom_contains_selectivity
);
CREATE OPERATOR <@ (
    LEFTARG = anyelement, RIGHTARG = bloom, FUNCTION = bloom_contained_in, COMMUTATOR = @>,
    RESTRICT = bloom_contained_in_selectivity
);

CREATE FUNCTION bloom_count(filter bloom) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION bloom_info(filter bloom) RETURNS jsonb
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION bloom_fpp(filter bloom) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION bloom_fpp(filter bloom, n bigint) RETURNS double precision
    AS 'MODULE_PATHNAME', 'bloom_fpp_at' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION bloom_plan(
    INOUT n bigint, INOUT p double precision DEFAULT 0.01, OUT layout text, OUT bits bigint,
    OUT bytes bigint, OUT hashes integer, OUT expected_fpp double precision,
    OUT bits_per_key double precision)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Other systems.
CREATE FUNCTION bloom_to(filter bloom, format text) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_from(bytes bytea) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_from(bytes bytea, format text) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_contains(filter bloom, key text, encoding text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'bloom_contains_encoded_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_contains(filter bloom, key bigint, encoding text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'bloom_contains_encoded_integer'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_add(filter bloom, key text, encoding text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'bloom_add_encoded_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_add(filter bloom, key bigint, encoding text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'bloom_add_encoded_integer' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- The bytes that another system hashes for a key: 'utf8', 'utf16le', 'i64be', 'kryo5', ...
CREATE FUNCTION bloom_key(key text, encoding text) RETURNS bytea
    AS 'MODULE_PATHNAME', 'bloom_key_of_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bloom_key(key bigint, encoding text) RETURNS bytea
    AS 'MODULE_PATHNAME', 'bloom_key_of_integer' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Files on the server. The functions check that the caller may read them, as pg_read_file does:
-- superusers, and members of pg_read_server_files.
CREATE FUNCTION bloom_file(path text) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION bloom_file_contains(path text, key text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'bloom_file_contains_text' LANGUAGE C STABLE STRICT
    PARALLEL SAFE COST 0.9;
CREATE FUNCTION bloom_file_contains(path text, key anyelement) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 0.9;
