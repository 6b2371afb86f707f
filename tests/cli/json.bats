# --json: what a verb prints for people, in a form for programs.
load helper
load redis_server

setup_file() {
  command -v jq >/dev/null || skip "there is no jq here"
}

teardown_file() { stop_all; }

verbs() { bloomery "$@" --help | awk '/^Subcommands:/ { on = 1; next } !NF { on = 0 } on { print $1 }'; }

has_json() { bloomery "$@" --help | grep -q -- '--json'; }

# Everything in out.json is JSON whose names are words with underscores; prints how many objects.
names_are_words() {
  jq -es 'length' out.json || { echo "no JSON:"; cat out.json; return 1; }
  jq -es '[.. | objects | keys[]] | all(test("^[a-z0-9_]+$"))' out.json >/dev/null ||
    { echo "a name with a blank:"; cat out.json; return 1; }
}

# line_of VERB: the rest of a line that runs it with --json; all work on what `material` makes
line_of() {
  case $1 in
    plan) echo '-n 1M -p 1%' ;;
    advise) echo '-n 1M -p 1%' ;;
    create) echo '-n 1k new.bloom' ;;
    add) echo 'f.bloom keys' ;;
    remove) echo 'counting.bloom keys' ;;
    test) echo 'f.bloom apple mango' ;;
    grep) echo 'f.bloom keys' ;;
    count) echo 'counting.bloom keys' ;;
    uniq) echo '-c keys' ;;
    except) echo 'f.bloom keys' ;;
    cascade) echo 'keys /dev/null cascade.bloom' ;;
    merge) echo 'f.bloom g.bloom -o merged.bloom' ;;
    intersect) echo 'f.bloom g.bloom -o common.bloom' ;;
    fold) echo 'f.bloom -o folded.bloom' ;;
    info) echo 'f.bloom' ;;
    verify) echo 'f.bloom g.bloom' ;;
    convert) echo '--format go --to go go.bloom converted' ;;
    formats | doctor) echo '' ;;
    bench) echo '-n 1k --rounds 1' ;;
    *) return 1 ;;
  esac
}

material() {
  printf '%s\n' apple banana >keys
  bloomery create -n 1k f.bloom
  bloomery add f.bloom keys
  cp f.bloom g.bloom
  bloomery create -n 1k --kind counting counting.bloom
  bloomery add counting.bloom keys
  bloomery create -n 1k -p 1% --format go go.bloom
}

@test "every verb that tells something tells it as JSON" {
  material
  local verb line status count=0
  for verb in $(verbs); do
    [[ -z $(verbs "$verb") ]] || continue # redis and guard: below
    line=$(line_of "$verb") || { echo "no line for $verb"; return 1; }
    if ! has_json "$verb"; then
      [[ $verb =~ ^(create|add|except|cascade)$ ]] || { echo "$verb has no --json"; return 1; }
      continue
    fi
    status=0
    # shellcheck disable=SC2086 # the line is several words
    bloomery "$verb" --json $line >out.json || status=$?
    [[ $status -le 1 ]] || { echo "$verb: $status"; return 1; }
    names_are_words || { echo "of $verb"; return 1; }
    count=$((count + 1))
  done
  [ "$count" -ge 14 ]
}

@test "verbs about lines and files print one object for each" {
  material
  bloomery grep --json f.bloom keys >out.json
  [ "$(<out.json)" = $'{"line":1,"text":"apple"}\n{"line":2,"text":"banana"}' ]
  bloomery grep --json -c f.bloom keys >out.json
  [ "$(<out.json)" = '{"selected":2,"lines":2}' ]
  echo mango >>keys
  run -0 bloomery count --json counting.bloom keys
  [ "$output" = $'{"key":"apple","count":1}\n{"key":"banana","count":1}\n{"key":"mango","count":0}' ]
  run -0 bloomery count --json --at-least 1 counting.bloom keys
  [ "${#lines[@]}" = 2 ]
  printf 'x' | dd of=g.bloom bs=1 seek=100 conv=notrunc 2>/dev/null
  run -2 --separate-stderr bloomery verify --json f.bloom g.bloom
  [ "${#lines[@]}" = 2 ]
  [ "$(jq -r .ok <<<"${lines[0]}")" = true ]
  [ "$(jq -r .ok <<<"${lines[1]}")" = false ]
  jq -r .error <<<"${lines[1]}" | grep -q damaged
}

@test "verbs that make or change a filter say what came of it" {
  material
  bloomery merge --json f.bloom g.bloom -o merged.bloom >out.json
  [ "$(jq -c '[.output, .filters, .kind, .item_capacity, .saturated]' out.json)" = '["merged.bloom",2,"bloom",1000,false]' ]
  [ "$(jq '.estimated_items | round' out.json)" = 2 ]
  bloomery convert --json --format go --to go-json go.bloom go.json >out.json
  [ "$(jq -c '[.from_format, .to, .to_format]' out.json)" = '["go","go.json","go-json"]' ]
  printf '%s\n' apple mango | bloomery remove --json counting.bloom >out.json
  [ "$(jq -c . out.json)" = '{"filter":"counting.bloom","keys":2,"removed":1,"absent":1}' ]
  refuses bloomery merge --json f.bloom g.bloom -o -
  says '--json and the filter would both go to standard output'
}

@test "the verbs of redis say what they did" {
  command -v redis-cli >/dev/null && server >/dev/null || skip "needs redis-tools"
  start json-socket
  local at="--redis unix://$BATS_FILE_TMPDIR/json-socket" verb count=0
  bloomery create --split -n 1k f.bloom
  declare -A lines=([push]='f.bloom words' [pull]='words pulled.bloom' [copy]='words copy' [rename]='copy other'
    [expire]='words 90s' [persist]='words' [drop]='other')
  for verb in push pull copy rename expire persist drop; do
    # shellcheck disable=SC2086 # the line is several words
    bloomery redis "$verb" $at --json ${lines[$verb]} >out.json
    names_are_words
    count=$((count + 1))
    [[ $verb != expire ]] || [ "$(jq .expires_in out.json)" = 90 ]
    [[ $verb != push ]] || [ "$(jq .item_capacity out.json)" = 1000 ]
  done
  has_json redis load # which needs a server with the module
  [ "$(verbs redis | wc -l)" = $((count + 1)) ]
}

@test "the verbs of guard say what they did" {
  [[ $(bloomery guard build x x x x 2>&1) != *"without databases"* ]] ||
    skip "this bloomery was built without databases"
  bloomery guard demo --rows 1k --requests 10 --seconds 1 --keep . --json >out.json
  names_are_words
  bloomery guard build --json demo.db items key items.bloom >out.json
  names_are_words
  [ "$(jq -c '[.keys, .item_capacity, .file]' out.json)" = '[1000,1250,"items.bloom"]' ]
  [ "$(verbs guard | wc -l)" = 2 ]
}
