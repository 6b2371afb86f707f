# The rules of check.sh. Input: one file name a line; -v order, free, aliases.

BEGIN {
    count = split(order, names, " ")
    for (i = 1; i <= count; ++i) rank[names[i]] = i
    split(free, names, " ")
    for (i in names) is_free[names[i]] = 1
    count = split(aliases, names, " ")
    for (i = 1; i <= count; ++i) {
        split(names[i], pair, "=")
        counts_as[pair[1]] = pair[2]
    }
}

{ files[++file_count] = $0; exists[$0] = 1 }

END {
    for (f = 1; f <= file_count; ++f) check_file(files[f])
    for (f = 1; f <= file_count; ++f) find_cycle(files[f], files[f])
    if (failures) printf "%d violation(s) of the layers\n", failures
    exit failures > 0
}

function violation(rule) {
    printf "%s:%d: %s\n", file, line_number, rule
    ++failures
}

function check_file(name,    line, code) {
    file = name
    layer = layer_of(file)
    in_comment = 0
    line_number = 1
    if (!known(layer)) violation("the folder " layer " is not in the table of layers")
    line_number = 0
    while ((getline line < file) > 0) {
        ++line_number
        code = without_comments(line)
        if (code ~ /^[ \t]*#[ \t]*include[ \t]*[<"]/) check_include(code)
        else if (layer != "tools") check_calls(without_strings(code))
    }
    close(file)
}

# The layer of a file or of an included path; "" for what is not ours. The top headers other than
# the free ones gather the folders, so they stand right of all but the tools.
function layer_of(path,    part, n) {
    sub(/^include\/bloomery\/detail\//, "include/bloomery/", path)
    n = split(path, part, "/")
    if (part[1] == "tools") return "tools"
    if (part[1] == "src") return n > 2 ? alias(part[2]) : "top"
    if (part[1] == "include" && part[2] == "bloomery") return n > 3 ? alias(part[3]) : top_header(part[3])
    return ""
}

function alias(folder) { return folder in counts_as ? counts_as[folder] : folder }
function top_header(name) { return name in is_free ? name : "top" }
function known(name) { return name in rank || name in is_free || name == "top" }
function position(name) { return name == "top" ? rank["tools"] - 0.5 : name in rank ? rank[name] : 0 }

function check_include(code,    quoted, path, target) {
    quoted = code ~ /include[ \t]*"/
    path = code
    sub(/^[^<"]*[<"]/, "", path)
    sub(/[>"].*$/, "", path)
    if (quoted && file ~ /^include\//) violation("public headers include as <bloomery/...>, not \"" path "\"")
    if (layer != "tools") check_foreign(path)
    target = resolve(path, quoted)
    if (target == "") return
    if (target in exists) edges[file] = edges[file] " " target
    check_layers(path, target)
}

function check_layers(path, target,    to, mine, other) {
    to = layer_of(target)
    split(file, mine, "/")
    split(target, other, "/")
    if (mine[1] == "src" && other[1] == "src" && mine[2] != other[2])
        violation("private headers stay in their folder (use include/bloomery/detail/): " path)
    if (layer == "tools") {
        if (target ~ /^src\//) violation("tools never include src/: " path)
        if (to == "tools" && mine[2] != other[2]) violation("tools never include each other: " path)
    } else if (layer in is_free) {
        if (to != layer && to != "cxx20.hpp" && to != "export.hpp" && !(to in is_free && to ~ /\.hpp$/ && layer !~ /\.hpp$/))
            violation(layer " includes nothing but " (layer ~ /\.hpp$/ ? "the standard library" : "itself and error.hpp, version.hpp") ": " path)
    } else if (!(to in is_free) && known(to) && position(to) > position(layer)) {
        violation(layer " must not include " (to == "top" ? "a header that gathers folders" : to ", which is to its right") ": " path)
    }
}

# Libraries and system headers that only the layers from some point on may know.
function check_foreign(path) {
    if (path ~ /^(iostream$|fmt\/|CLI\/|CLI11|nlohmann\/)/) violation("only tools may include <" path ">")
    if (path ~ /^(hiredis\/|sys\/socket\.h$|netdb\.h$|netinet\/|arpa\/)/ && (layer in is_free || position(layer) < rank["redis"]))
        violation("nothing left of redis knows a network: <" path ">")
}

function check_calls(code) {
    if (code ~ /(^|[^A-Za-z0-9_])(v?f?printf|f?puts|putchar)[ \t]*\(/ || code ~ /std::(cout|cerr|clog)/)
        violation("only tools may print")
    if (code ~ /(^|[^A-Za-z0-9_])(secure_)?getenv[ \t]*\(/ && file !~ /^src\/kernel\//)
        violation("only src/kernel and tools may read the environment")
}

# The file of ours that an include names, or what it would be; "" for a foreign one.
function resolve(path, quoted,    folder, part, candidate) {
    if (path ~ /^bloomery\//) return normal("include/" path)
    if (!quoted) return ""
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    split(file, part, "/")
    if ((candidate = normal(folder "/" path)) in exists) return candidate
    if ((candidate = normal(part[1] "/" part[2] "/" path)) in exists) return candidate
    if ((candidate = normal(part[1] "/" path)) in exists) return candidate
    if (path ~ /^(src|tools|include)\//) return normal(path)
    return normal(folder "/" path)
}

function normal(path) {
    gsub(/\/\.\//, "/", path)
    while (path ~ /[^\/.][^\/]*\/\.\.\//) sub(/[^\/.][^\/]*\/\.\.\//, "", path)
    return path
}

# Depth first; `trail` is the way here. Each cycle is told once, at the first file that closes it.
function find_cycle(name, trail,    next_names, i, n) {
    if (state[name] == "done") return
    state[name] = "open"
    n = split(edges[name], next_names, " ")
    for (i = 1; i <= n; ++i) {
        if (state[next_names[i]] == "open") {
            file = name
            line_number = 1
            violation("headers include each other in a circle: " trail " -> " next_names[i])
        } else {
            find_cycle(next_names[i], trail " -> " next_names[i])
        }
    }
    state[name] = "done"
}

function without_strings(code) {
    gsub(/\\./, "", code)
    gsub(/"[^"]*"/, "\"\"", code)
    return code
}

function without_comments(code,    at) {
    if (in_comment) {
        if (!(at = index(code, "*/"))) return ""
        code = substr(code, at + 2)
        in_comment = 0
    }
    sub(/\/\/.*$/, "", code)
    while (at = index(code, "/*")) {
        if (!index(substr(code, at + 2), "*/")) {
            in_comment = 1
            return substr(code, 1, at - 1)
        }
        code = substr(code, 1, at - 1) substr(code, at + 3 + index(substr(code, at + 2), "*/"))
    }
    return code
}
