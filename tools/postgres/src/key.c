#include "key.h"

#include "errors.h"

#include <catalog/pg_type_d.h>
#include <datatype/timestamp.h>
#include <fmgr.h>
#include <mb/pg_wchar.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>
#include <utils/timestamp.h>
#include <utils/uuid.h>

static const char* advice_for(Oid type) {
    switch (type) {
    case FLOAT4OID:
    case FLOAT8OID:
    case NUMERICOID:
        return "Equal numbers of this type can have different bytes. Cast the key to bigint or "
               "text, "
               "in the same way when the filter is made and when it is queried.";
    case TIMESTAMPOID:
        return "It does not identify an instant. Cast the key to timestamptz or text.";
    default:
        return "Cast the key to text, bytea, bigint, uuid or timestamptz, in the same way when the "
               "filter is made and when it is queried.";
    }
}

bloom_key_type bloom_key_type_of(Oid type) {
    const Oid base = OidIsValid(type) ? getBaseType(type) : InvalidOid;
    switch (base) {
    case TEXTOID:
    case VARCHAROID:
        return BLOOM_KEY_TEXT;
    case BPCHAROID:
        return BLOOM_KEY_CHAR;
    case NAMEOID:
        return BLOOM_KEY_NAME;
    case BYTEAOID:
        return BLOOM_KEY_BYTEA;
    case UUIDOID:
        return BLOOM_KEY_UUID;
    case INT2OID:
        return BLOOM_KEY_INT2;
    case INT4OID:
        return BLOOM_KEY_INT4;
    case INT8OID:
        return BLOOM_KEY_INT8;
    case TIMESTAMPTZOID:
        return BLOOM_KEY_TIMESTAMPTZ;
    default:
        break;
    }
    if (!OidIsValid(base)) elog(ERROR, "the type of the key is not known");
    ereport(ERROR, errcode(ERRCODE_DATATYPE_MISMATCH),
            errmsg("a value of type %s cannot be a key of a filter", format_type_be(type)),
            errhint("%s", advice_for(base)));
    pg_unreachable();
}

static uint64 microseconds_since_1970(TimestampTz instant) {
    const int64 between = (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY;
    if (TIMESTAMP_NOT_FINITE(instant)) {
        ereport(ERROR, errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
                errmsg("infinity cannot be a key of a filter"));
    }
    return (uint64)instant + (uint64)between;
}

uint64 bloom_integer_key(bloom_key_type type, Datum value) {
    switch (type) {
    case BLOOM_KEY_INT2:
        return (uint64)(int64)DatumGetInt16(value);
    case BLOOM_KEY_INT4:
        return (uint64)(int64)DatumGetInt32(value);
    case BLOOM_KEY_INT8:
        return (uint64)DatumGetInt64(value);
    default:
        return microseconds_since_1970(DatumGetTimestampTz(value));
    }
}

/// Text in the encoding of the database as UTF-8. Where nobody knows the encoding, bytes are kept.
static void encode_as_utf8(bloom_bytes_key* key) {
    const int encoding = GetDatabaseEncoding();
    if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII) return;
    char* const made = pg_server_to_any(key->data, (int)key->size, PG_UTF8);
    if (made == key->data) return;
    if (key->copy != NULL) pfree(key->copy);
    *key = (bloom_bytes_key){made, strlen(made), made};
}

static bloom_bytes_key bytes_of_varlena(Datum value) {
    struct varlena* const flat = PG_DETOAST_DATUM_PACKED(value);
    const bool copied = (Pointer)flat != DatumGetPointer(value);
    return (bloom_bytes_key){VARDATA_ANY(flat), VARSIZE_ANY_EXHDR(flat), copied ? flat : NULL};
}

bloom_bytes_key bloom_bytes_of(bloom_key_type type, Datum value) {
    bloom_bytes_key key;
    if (type == BLOOM_KEY_UUID) {
        return (bloom_bytes_key){DatumGetUUIDP(value)->data, UUID_LEN, NULL};
    }
    if (type == BLOOM_KEY_NAME) {
        key = (bloom_bytes_key){NameStr(*DatumGetName(value)), 0, NULL};
        key.size = strlen(key.data);
    } else {
        key = bytes_of_varlena(value);
        if (type == BLOOM_KEY_CHAR) key.size = bpchartruelen((char*)key.data, (int)key.size);
    }
    if (type != BLOOM_KEY_BYTEA) encode_as_utf8(&key);
    return key;
}

uint32 bloom_encoding_named(const text* name) {
    uint32 found = 0;
    bloom_require(bloomery_key_encoding_named(text_to_cstring(name), &found));
    return found;
}

void bloom_encode_text(bloom_encoded_key* key, Datum value, const text* encoding) {
    const bloom_bytes_key bytes = bloom_bytes_of(BLOOM_KEY_TEXT, value);
    key->text = (bloomery_slice){bytes.data, bytes.size};
    key->keys = bloomery_keys_slices(&key->text, 1);
    key->keys.encoding = bloom_encoding_named(encoding);
}

void bloom_encode_integer(bloom_encoded_key* key, int64 value, const text* encoding) {
    key->integer = value;
    key->keys = bloomery_keys_init();
    key->keys.form = BLOOMERY_KEYS_I64;
    key->keys.data = &key->integer;
    key->keys.count = 1;
    key->keys.encoding = bloom_encoding_named(encoding);
}
