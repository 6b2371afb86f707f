# advise: the command that it prints makes what the advice describes, with the stated size.
load helper

field() { # field NAME: its value in the JSON on stdin, first match
  grep -m 1 "\"$1\": " | sed "s/^ *\"$1\": *//; s/,\$//; s/^\"//; s/\"\$//"
}

# size_in WORDS: the bytes that a headline names, as "takes 1.2 MiB" or "starts with 512 B"
size_in() {
  sed -En 's/.*(takes|starts with) ([0-9.]+) ([KMGT]?i?B)\b.*/\2 \3/p' <<<"$1" | awk '
    { split("B KiB MiB GiB TiB", unit); for (i = 1; i <= 5; ++i) if ($2 == unit[i]) print $1 * 1024 ^ (i - 1) }'
}

near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a > 0 && d * d <= (0.006 * b + 0.5) ^ 2) }'; }

# agrees OPTION...: runs what advise prints, and compares the filter with the words
agrees() {
  rm -f FILE SECRET advice words made
  bloomery advise "$@" --json >advice
  bloomery advise "$@" >words
  local make headline kind
  make=$(field make <advice)
  headline=$(field headline <advice)
  kind=$(field kind <advice)
  [[ "$(head -n 1 words)" == "$headline" ]]
  [[ $make == "bloomery "* ]] || { # not in this library: nothing is printed that could be run
    [[ $kind =~ ^(none|bitmap|hash-set|cascade)$ ]] || fault "no command for $kind" "$@"
    return 0
  }
  grep -qxF "create it: $make" words || fault "the text has another command" "$@"
  [[ $kind != cascade ]] || { cascade_agrees "$make" "$@" && return; }
  if grep -q '"make_secret"' advice; then eval "$(field make_secret <advice)"; fi
  eval "$make" || fault "the command fails" "$@"
  local secret=()
  [ ! -e SECRET ] || secret=(--secret-file SECRET)
  bloomery info --json "${secret[@]}" FILE >made
  same_kind "$kind" || fault "$kind is advised" "$@"
  [ "$(field bytes <made)" = "$(field bytes <advice)" ] || fault "another size" "$@"
  near "$(size_in "$headline")" "$(field bytes <made)" || fault "the headline names another size" "$@"
  if grep -q 'keyed hash with a secret' words; then
    [[ $(field hash <made) == siphash* ]] || fault "a keyed hash is mandatory" "$@"
  else
    [[ $(field hash <made) == xxh3* ]] || fault "nobody asked for a keyed hash" "$@"
  fi
}

# cascade_agrees COMMAND ...: for a million keys and two million others; its size depends a little on the keys
cascade_agrees() {
  seq 1000000 >IN
  seq 1000001 3000000 >OUT
  eval "$1" || fault "the command fails" "${@:2}"
  bloomery info --json FILTER >made
  [ "$(field kind <made)" = cascade ] || fault "cascade is advised" "${@:2}"
  awk -v made="$(field bytes <made)" -v told="$(field bytes <advice)" 'BEGIN { exit !(made < 1.1 * told && told < 1.1 * made) }' ||
    fault "another size" "${@:2}"
}

same_kind() {
  local made layout policy
  made=$(field kind <made) layout=$(field layout <made) policy=$(field policy <made || true)
  case $1 in
    classic | blocked | split-*) [ "$made $layout" = "bloom $1" ] ;;
    spectral)
      if head -n 1 words | grep -q 'minimal increase'; then
        [ "$made $policy" = "spectral minimal increase" ]
      else
        head -n 1 words | grep -q 'minimum selection' && [ "$made $policy" = "spectral minimum selection" ]
      fi
      ;;
    *) [ "$made" = "$1" ] ;;
  esac
}

fault() {
  printf 'advise %s: %s\n' "${*:2}" "$1"
  cat words
  [ ! -e made ] || cat made
  return 1
}

@test "a plain filter is made as advised, at every rate" {
  for p in 50% 20% 5% 1% 1e-4 1e-6 1e-8 1e-10; do
    agrees -n 20k -p $p
    agrees -n 20k -p $p --untrusted
    agrees -n 150k -p $p --lean
    agrees -n 150k -p $p --one-line
    agrees -n 150k -p $p --fixed
  done
}

@test "filters that count, forget or let keys go are made as advised" {
  for p in 5% 1e-4; do
    for options in "--count" "--count --remove" "--count --remove --skewed" "--count --adaptive" \
      "--count --adaptive --remove" "--remove" "--remove --query-bound" "--remove --memory-bound" "--remove --merge"; do
      # shellcheck disable=SC2086 # several options
      agrees -n 30k -p $p $options
      # shellcheck disable=SC2086
      agrees -n 30k -p $p $options --untrusted
    done
    agrees --window 30k -p $p
    agrees --window 30k -n 1M -p $p --untrusted
  done
}

@test "whatever is known of the number of keys, the size is that of what is made" {
  agrees --at-least 20k
  agrees --at-least 10
  agrees --at-most 40k
  agrees --at-least 1k --at-most 200k
  agrees --at-least 100k --at-most 200k --untrusted
  agrees --at-least 20k --remove
  agrees --window 5
  agrees --window 5 -n 1M
  agrees -n 1M --integers-below 2M
  agrees -n 1M --known-negatives 2M
  agrees -n 1M --no-error
  agrees -n 1M --positives 90%
}

@test "counts are kept by minimal increase unless keys are taken out" {
  run -0 bloomery advise -n 1M --count
  [[ "$output" == *"create --kind spectral,policy=minimal-increase -n 1000000"* ]]
  run -0 bloomery advise -n 1M --count --remove
  [[ "$output" == *"create --kind spectral -n 1000000"* ]]
}

@test "strangers' keys need a secret, in words and in the command" {
  run -0 bloomery advise -n 1M --untrusted
  [[ "$output" == *"create a secret: od "*" >SECRET"* ]]
  [[ "$output" == *"--secret-file SECRET FILE"* ]]
  run -0 bloomery advise -n 1M --untrusted --integers-below 1M # a bitmap has no hash
  [[ "$output" != *"keyed hash"* ]]
}

@test "a filter too large to make here has the layout and size of the plan" {
  bloomery advise -n 400M -p 1e-6 --json >advice
  bloomery plan -n 400M -p 1e-6 --json >planned
  [ "$(field kind <advice)" = split-16x32 ]
  [ "$(field layout <planned)" = split-16x32 ]
  [ "$(field bytes <advice)" = "$(field bytes <planned)" ]
}

@test "the last keys of a stream decide the size, whatever -n says" {
  run -0 bloomery advise --window 20k -n 1M
  [[ "$output" == *"create --kind window -n 20000 "* ]]
  [[ "$output" == *"the last 20,000 keys"* ]]
  [ "$(bloomery advise --window 20k -n 1M --json | field bytes)" = "$(bloomery advise --window 20k --json | field bytes)" ]
}

@test "a known upper bound is cheaper than growing" {
  bloomery advise --at-least 1k --at-most 10M --json >advice
  [ "$(field kind <advice)" = split-8x64 ]
  [ "$(field bytes <advice)" -lt 13000000 ]
  run -0 bloomery advise --at-least 1k --at-most 10M
  [[ "$output" == *"A scalable filter takes less memory up to 2,047,000 keys, and more from there on."* ]]
  [[ "$output" == *"runner-up: scalable"* ]]
  run -0 bloomery advise --at-least 1k
  [[ "$output" == "Use a scalable filter, which starts with"* ]]
  run -0 bloomery advise --at-least 20k --remove
  [[ "$output" == *"Only a lower bound for the number of keys is known: it is sized for 20,000"* ]]
}

@test "the JSON of advise is an object of numbers and sentences" {
  bloomery advise -n 1M --json >out
  grep -q '"bytes": [0-9]*,$' out
  grep -q '"make": "bloomery create -n 1000000 -p 0.01 FILE"' out
  if grep -q '"[^"]* [^"]*":' out; then false; fi # no member's name has a blank
}
