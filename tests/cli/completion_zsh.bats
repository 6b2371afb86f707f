# The completion for zsh, driven in its own terminal, because completion works only in the line editor.
load helper

setup() {
  command -v zsh >/dev/null || skip "there is no zsh here"
  cd "$BATS_TEST_TMPDIR" || exit 1
}

# What the zsh in the terminal runs first: note each match that completion adds, and its end.
write_watcher() {
  cat >watcher.zsh <<'ZSH'
fpath=($PWD/functions $fpath)
autoload -Uz compinit
compinit -u -D
compadd() {
  # -O, -A and -D only collect matches, for a later call that adds them
  if [[ ${@[1,(i)(-|--)]} != *-[^\ ]#[OAD]\ * ]]; then
    local -a added
    builtin compadd -O added "$@"
    print -rl -- $added >>offered
  fi
  builtin compadd "$@"
}
finish() { : >finished }
comppostfuncs=(finish)
setopt extended_glob
: >ready
ZSH
}

# offers LINE: what zsh offers for it, one a line
offers() {
  rm -f offered finished ready
  mkdir -p functions
  bloomery describe zsh >functions/_bloomery
  write_watcher
  TERM=vt100 timeout 60 zsh -fc '
    zmodload zsh/zpty zsh/zselect
    zpty terminal zsh -fi
    zpty -w terminal "source ./watcher.zsh"
    until [[ -e ready ]]; do zselect -t 5; done
    zpty -wn terminal "$1"$'"'\t'"'
    until [[ -e finished ]]; do zselect -t 5; done
    zpty -d terminal' _ "$1"
  [[ ! -e offered ]] || sort -u offered | sed '/^$/d'
}

@test "zsh finds no mistake in it, and loads it by name" {
  mkdir functions
  bloomery describe zsh >functions/_bloomery
  run -0 zsh -n functions/_bloomery
  [ -z "$output" ]
  # shellcheck disable=SC2016 # the text is zsh's
  run -0 zsh -fc 'fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D
    print $_comps[bloomery]; autoload +X _bloomery; print $+functions[_bloomery]'
  [ "$output" = $'_bloomery\n1' ]
}

@test "zsh registers it too when it is sourced" {
  bloomery describe zsh >completion.zsh
  # shellcheck disable=SC2016 # the text is zsh's
  run -0 zsh -fc 'autoload -Uz compinit; compinit -u -D; source ./completion.zsh; print $_comps[bloomery]'
  [ "$output" = _bloomery ]
}

@test "zsh completes verbs" {
  run -0 offers 'bloomery gr'
  [ "$output" = grep ]
  run -0 offers 'bloomery '
  [[ $output == *plan* && $output == *verify* && $output != *describe* ]]
}

@test "zsh completes the options of the verb, long and short" {
  run -0 offers 'bloomery grep --inv'
  [ "$output" = --invert-match ]
  run -0 offers 'bloomery grep -'
  [[ $output == *-v* && $output == *--secret-file* && $output != *--compat* ]]
}

@test "zsh completes the words of an option that has a choice" {
  run -0 offers 'bloomery grep --key i'
  [ "$output" = $'i32be\ni32le\ni64be\ni64le\nint' ]
  run -0 offers 'bloomery create --kind d'
  [ "$output" = $'dleft\ndynamic-count' ]
  run -0 offers 'bloomery create --format guava'
  [ "$output" = $'guava\nguava-32\nguava-java' ]
  run -0 offers 'bloomery convert --to nat'
  [ "$output" = native ]
  run -0 offers 'bloomery plan --layout sp'
  [ "$output" = $'split-16x32\nsplit-8x32\nsplit-8x64' ]
  run -0 offers 'bloomery plan --compat=r'
  [ "$output" = redisson ]
}

@test "zsh completes the verbs within a verb, and their options and files" {
  touch some.bloom
  run -0 offers 'bloomery redis pu'
  [ "$output" = $'pull\npush' ]
  run -0 offers 'bloomery redis pull --t'
  [ "$output" = --to ]
  run -0 offers 'bloomery redis push so'
  [ "$output" = some.bloom ]
  run -0 offers 'bloomery redis push some.bloom so'
  [ -z "$output" ]
  run -0 offers 'bloomery guard de'
  [ "$output" = demo ]
  run -0 offers 'bloomery guard demo --ro'
  [ "$output" = --rows ]
}

@test "zsh completes files where a file stands, and nothing where a number or a key does" {
  touch some.bloom other
  run -0 offers 'bloomery grep so'
  [ "$output" = some.bloom ]
  run -0 offers 'bloomery grep --key int some.bloom ot'
  [ "$output" = other ]
  run -0 offers 'bloomery create -n ot'
  [ -z "$output" ]
  run -0 offers 'bloomery test some.bloom ot'
  [ -z "$output" ]
}
