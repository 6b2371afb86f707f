# The completion for bash, called the way readline calls it.
load helper

# offers WORD...: what bash offers for the last word, one a line
offers() {
  bloomery describe bash >completion.bash
  bash --norc -uc '
    source ./completion.bash
    [[ $(complete -p bloomery) == "complete -F _bloomery bloomery" ]] || exit 3
    COMP_WORDS=(bloomery "$@") COMP_CWORD=$#
    _bloomery bloomery "${!#}" ""
    printf "%s\n" ${COMPREPLY[@]+"${COMPREPLY[@]}"}' _ "$@"
}

@test "bash completes verbs" {
  run -0 offers gr
  [ "$output" = grep ]
  run -0 offers ''
  [[ $output == *plan* && $output == *verify* && $output != *describe* && $output != *--* ]]
  [ "${#lines[@]}" = "$(bloomery --help | sed '1,/^Subcommands:/d' | grep -c '^  [a-z]')" ]
  run -0 offers --v
  [ "$output" = --version ]
}

@test "bash completes the options of the verb, long and short" {
  run -0 offers grep --inv
  [ "$output" = --invert-match ]
  run -0 offers grep -
  [[ $output == *$'-v\n'* && $output == *--secret-file* && $output != *--compat* ]]
  run -0 offers plan ''
  [[ $output == *--compat* ]]
}

@test "bash completes the words of an option that has a choice" {
  run -0 offers grep --key ''
  [[ $output == $'bytes\nint\n'*f64le-canonical ]]
  run -0 offers grep --key in
  [ "$output" = int ]
  run -0 offers grep --key = in
  [ "$output" = int ]
  run -0 offers grep --key =
  [[ $output == $'bytes\nint\n'*f64le-canonical ]]
  run -0 offers create --kind d
  [ "$output" = $'dynamic-count\ndleft' ]
  run -0 offers create --format guava
  [ "$output" = $'guava\nguava-32\nguava-java' ]
  run -0 offers convert --to nat
  [ "$output" = native ]
  run -0 offers test --redis-scheme ''
  [ "$output" = $'hash-code-6\nhash-code-6-mended' ]
  run -0 offers uniq --window '' # N|TIME is not a choice of words
  [ -z "$output" ]
  run -0 offers plan --layout sp
  [ "$output" = $'split-8x32\nsplit-8x64\nsplit-16x32' ]
}

@test "bash completes the verbs within a verb, and their options and files" {
  touch some.bloom
  run -0 offers redis ''
  [ "$output" = $'push\nload\npull\ndrop\nrename\ncopy\nexpire\npersist' ]
  run -0 offers redis pu
  [ "$output" = $'push\npull' ]
  run -0 offers redis pull --t
  [ "$output" = --to ]
  run -0 offers redis drop --t
  [ -z "$output" ]
  run -0 offers redis push --redis unix://s so
  [ "$output" = some.bloom ]
  run -0 offers redis push some.bloom so
  [ -z "$output" ]
  run -0 offers redis pull some so
  [ "$output" = some.bloom ]
  run -0 offers redis nonsense so
  [ -z "$output" ]
  run -0 offers guard ''
  [ "$output" = $'build\ndemo' ]
  run -0 offers guard build --hea
  [ "$output" = --headroom ]
  run -0 offers guard build shop.db items id so
  [ "$output" = some.bloom ]
  run -0 offers guard demo so
  [ -z "$output" ]
}

@test "bash completes files where a file stands, and nothing where a number or a key does" {
  touch 'a b.bloom' other
  run -0 offers grep a
  [ "$output" = 'a b.bloom' ]
  run -0 offers grep --key int 'a b.bloom' ot
  [ "$output" = other ]
  run -0 offers merge -o ot
  [ "$output" = other ]
  run -0 offers create -n ot
  [ -z "$output" ]
  run -0 offers test ot
  [ "$output" = other ]
  run -0 offers test --secret-file 'a b.bloom' ot
  [ "$output" = other ]
  run -0 offers test other ot
  [ -z "$output" ]
  run -0 offers nonsense ot
  [ -z "$output" ]
}

@test "bash offers exactly the words that the command takes" {
  local word
  for word in $(offers create --kind ''); do
    bloomery create -n 10 --kind "$word" "$word.bloom" || { echo "$word"; return 1; }
  done
  for word in $(offers create --layout ''); do
    bloomery create -n 10 --layout "$word" "$word.bloom" || { echo "$word"; return 1; }
  done
  diff <(offers create --format '') <(bloomery formats --json | sed -n 's/^ *"name": "\(.*\)",/\1/p')
}
