// What the planner asks about bloom_contains.
#include "function.h"
#include "selectivity.h"

#include <catalog/namespace.h>
#include <catalog/pg_type_d.h>
#include <fmgr.h>
#include <miscadmin.h>
#include <nodes/makefuncs.h>
#include <nodes/nodeFuncs.h>
#include <nodes/supportnodes.h>
#include <parser/parse_func.h>
#include <utils/acl.h>
#include <utils/lsyscache.h>

BLOOM_FUNCTION(bloom_contains_support);
BLOOM_FUNCTION(bloom_contained_in_support);

extern Datum bloom_file(PG_FUNCTION_ARGS);

/// The path in bloom_file(path), or null.
static Node* path_in(Node* filter) {
    FmgrInfo function;
    if (!IsA(filter, FuncExpr)) return NULL;
    const FuncExpr* const call = castNode(FuncExpr, filter);
    const char* const name = get_func_name(call->funcid);
    if (name == NULL || strcmp(name, "bloom_file") != 0) return NULL;
    // Otherwise the executor will refuse the call.
    if (pg_proc_aclcheck(call->funcid, GetUserId(), ACL_EXECUTE) != ACLCHECK_OK) return NULL;
    fmgr_info(call->funcid, &function);
    return function.fn_addr == bloom_file ? linitial(call->args) : NULL;
}

/// bloom_contains(bloom_file(path), key) would read the whole file for each row. It becomes
/// bloom_file_contains(path, key), which maps it once.
static Node* simplified(FuncExpr* call, bool key_first) {
    Node* const filter = key_first ? lsecond(call->args) : linitial(call->args);
    Node* const key = key_first ? linitial(call->args) : lsecond(call->args);
    Node* const path = path_in(filter);
    Oid types[2] = {TEXTOID, InvalidOid};
    Oid* declared = NULL;
    int count = 0;
    if (path == NULL) return NULL;
    (void)get_func_signature(call->funcid, &declared, &count);
    types[1] = declared[key_first ? 0 : 1];
    char* const schema = get_namespace_name(get_func_namespace(call->funcid));
    List* const name = list_make2(makeString(schema), makeString("bloom_file_contains"));
    const Oid function = LookupFuncName(name, 2, types, true);
    if (!OidIsValid(function)) return NULL;
    return (Node*)makeFuncExpr(function, BOOLOID, list_make2(path, key), InvalidOid,
                               call->inputcollid, COERCE_EXPLICIT_CALL);
}

static Node* supported(Node* request, bool key_first) {
    if (IsA(request, SupportRequestSimplify)) {
        return simplified(((SupportRequestSimplify*)request)->fcall, key_first);
    }
    if (IsA(request, SupportRequestSelectivity)) {
        SupportRequestSelectivity* const asked = (SupportRequestSelectivity*)request;
        if (asked->is_join) return NULL;
        asked->selectivity =
            bloom_selectivity(asked->root, asked->args, asked->varRelid, key_first);
        return request;
    }
    return NULL;
}

Datum bloom_contains_support(PG_FUNCTION_ARGS) {
    PG_RETURN_POINTER(supported((Node*)PG_GETARG_POINTER(0), false));
}

Datum bloom_contained_in_support(PG_FUNCTION_ARGS) {
    PG_RETURN_POINTER(supported((Node*)PG_GETARG_POINTER(0), true));
}
