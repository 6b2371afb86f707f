# The completion for fish, called with its own `complete -C`.
load helper

# offers LINE: what fish offers for it, one a line, without the descriptions
offers() {
  bloomery describe fish >completion.fish
  # shellcheck disable=SC2016 # $argv is fish's
  HOME=$PWD fish --no-config -c 'source completion.fish; complete -C $argv[1]' "$1" | cut -f1
}

setup() {
  command -v fish >/dev/null || skip "there is no fish here"
  cd "$BATS_TEST_TMPDIR" || exit 1
}

@test "fish completes verbs" {
  run -0 offers 'bloomery gr'
  [ "$output" = grep ]
  run -0 offers 'bloomery '
  [[ $output == *plan* && $output == *verify* && $output != *describe* ]]
  run -0 offers 'bloomery uniq gr'
  [ -z "$output" ]
}

@test "fish completes the options of the verb, long and short" {
  run -0 offers 'bloomery grep --inv'
  [ "$output" = --invert-match ]
  run -0 offers 'bloomery grep -'
  [[ $output == *-v* && $output == *--secret-file* && $output != *--compat* ]]
  run -0 offers 'bloomery add grep --inv'
  [ -z "$output" ]
}

@test "fish shows what an option is for" {
  bloomery describe fish >completion.fish
  run -0 fish --no-config -c 'source completion.fish; complete -C "bloomery grep --invert"'
  [ "$output" = $'--invert-match\tPrint the lines whose key is definitely absent' ]
}

@test "fish completes the words of an option that has a choice" {
  run -0 offers 'bloomery grep --key i'
  [ "$output" = $'i32be\ni32le\ni64be\ni64le\nint' ]
  run -0 offers 'bloomery create --kind d'
  [ "$output" = $'dleft\ndynamic-count' ]
  run -0 offers 'bloomery create --format guava'
  [ "$output" = $'guava\nguava-32\nguava-java' ]
  run -0 offers 'bloomery convert --to nat'
  [ "$output" = native ]
  run -0 offers 'bloomery plan --layout sp'
  [ "$output" = $'split-8x32\nsplit-8x64\nsplit-16x32' ]
  run -0 offers 'bloomery plan --compat=r'
  [ "$output" = --compat=redisson ]
}

@test "fish completes the verbs within a verb, and their options and files" {
  touch some.bloom
  run -0 offers 'bloomery redis pu'
  [ "$output" = $'pull\npush' ]
  run -0 offers 'bloomery redis pull --t'
  [ "$output" = --to ]
  run -0 offers 'bloomery redis drop --t'
  [ -z "$output" ]
  run -0 offers 'bloomery redis push so'
  [ "$output" = some.bloom ]
  run -0 offers 'bloomery redis push some.bloom pu'
  [ -z "$output" ]
  run -0 offers 'bloomery guard de'
  [ "$output" = demo ]
  run -0 offers 'bloomery guard demo --ro'
  [ "$output" = --rows ]
  run -0 offers 'bloomery grep pu'
  [ -z "$output" ]
}

@test "fish completes files where a file stands, and nothing where a number or a key does" {
  touch some.bloom other
  run -0 offers 'bloomery grep so'
  [ "$output" = some.bloom ]
  run -0 offers 'bloomery grep some.bloom ot'
  [ "$output" = other ]
  run -0 offers 'bloomery merge -o ot'
  [ "$output" = other ]
  run -0 offers 'bloomery create -n ot'
  [ -z "$output" ]
  run -0 offers 'bloomery test --secret-file other so'
  [ "$output" = some.bloom ]
  run -0 offers 'bloomery test some.bloom ot'
  [ -z "$output" ]
}
