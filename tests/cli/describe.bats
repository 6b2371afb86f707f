# describe: the manual page, written from the options themselves.
load helper

verbs() { bloomery --help | awk '/^Subcommands:/ { on = 1; next } !NF { on = 0 } on { print $1 }'; }

# options VERB...: the names of the options that its --help names, one a line
options() { bloomery "$@" --help | awk '$1 ~ /^-/ { gsub(",", "\n", $1); print $1 }'; }

# The page as a reader sees it, without overstriking.
page() { bloomery describe man | mandoc -Tascii -Owidth=200 | sed $'s/.\b//g'; }

# part HEADING: the lines of that section of page.txt, or of that verb
part() {
  awk -v heading="$1" '
    /^ ? ? ?[^ ]/ { on = ($0 ~ "^ *" heading "$"); next }
    on' page.txt
}

# lists NAME: on stdin is a list of options with this one
lists() { grep -Eq -- "^ +(-[^ ]+, )*$1(,? |\$)"; }

@test "the page lints clean" {
  bloomery describe man >bloomery.1
  [ "$(wc -l <bloomery.1)" -gt 200 ]
  run -0 mandoc -Tlint -Wwarning bloomery.1
  [ -z "$output" ]
}

@test "the page has the sections of a manual page" {
  page >page.txt
  for heading in NAME SYNOPSIS DESCRIPTION OPTIONS COMMANDS NUMBERS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
    grep -qx "$heading" page.txt || { echo "no $heading"; return 1; }
  done
  part NAME | grep -q 'bloomery - Bloom filters'
  [ "$(part 'EXIT STATUS' | grep -Ec '^ +[0-3] ')" = 4 ]
}

@test "the page names every verb, and under it every option of its --help" {
  page >page.txt
  local verb name count=0
  for verb in $(verbs); do
    part SYNOPSIS | grep -q "bloomery $verb " || { echo "no synopsis of $verb"; return 1; }
    for name in $(options "$verb"); do
      case $name in
        -h | --help) part OPTIONS ;;
        *) part "$verb" ;;
      esac | lists "$name" || { echo "$verb: no $name"; return 1; }
      count=$((count + 1))
    done
  done
  [ "$count" -gt 100 ]
}

@test "an option stands with its value, its choices and its description" {
  page >page.txt
  part grep | grep -A1 -- '--key bytes|int|.*|f64le-canonical$' | grep -q 'What a key is: its bytes'
  part merge | grep -A1 -- '-o, --output FILE$' | grep -q 'The file to write'
  part SYNOPSIS | grep -qF -- 'bloomery merge [OPTION]... -o FILE FILTER...'
}

@test "verbs within a verb have their own sections and lines" {
  page >page.txt
  part SYNOPSIS | grep -q 'bloomery redis push \[OPTION\]... FILE NAME$'
  local name
  for name in $(options redis pull | grep -v -e '^-h$' -e '^--help$'); do
    part 'redis pull' | lists "$name" || { echo "no $name"; return 1; }
  done
  part 'redis expire' | grep -q '^ *TIME '
  part 'redis' | grep -q 'bloomery redis COMMAND'
  part SYNOPSIS | grep -q 'bloomery guard build \[OPTION\]... SOURCE TABLE COLUMN FILE$'
  for name in $(options guard demo | grep -v -e '^-h$' -e '^--help$'); do
    part 'guard demo' | lists "$name" || { echo "no $name"; return 1; }
  done
}

@test "every verb's example stands on a line of its own" {
  page >page.txt
  local verb line
  for verb in $(verbs); do
    line=$(bloomery "$verb" --help | sed -n 's/^Example: //p')
    [ -n "$line" ]
    part "$verb" | sed 's/^ *//' | grep -qxF -- "$line" || { echo "$verb: no $line"; return 1; }
  done
}

@test "the examples of the page work" {
  page >page.txt
  part EXAMPLES | sed -n 's/^ \{9,\}//p' >examples.sh
  [ "$(wc -l <examples.sh)" -ge 5 ]
  printf '%s\n' brown fox quick the >words.txt
  echo 'the quick red fox' >essay.txt
  printf '%s\n' a b a >urls.txt
  printf '%s\n' x x y >today.log
  printf '%s\n' 1,2,fox 3,4,hen >table.csv
  mkdir bin && ln -s "$BLOOMERY" bin/bloomery
  PATH=$PWD/bin:$PATH run -0 bash -euo pipefail examples.sh
  [ "$output" = $'red\nx\ny\n1,2,fox' ]
  [ "$(<once.txt)" = $'a\nb' ]
}

@test "the day on the page is the one that the packager fixed" {
  SOURCE_DATE_EPOCH=86400 run -0 bloomery describe man
  [[ $output == *'.TH BLOOMERY 1 1970-01-02 "bloomery '* ]]
  SOURCE_DATE_EPOCH=tomorrow refuses bloomery describe man
  says 'SOURCE_DATE_EPOCH must be a number of seconds, not "tomorrow"'
}

@test "describe is for the build: no help names it, and it knows four words" {
  run -0 bloomery --help
  [[ $output != *describe* ]]
  page >page.txt
  run -1 grep describe page.txt
  refuses bloomery describe perl
  says 'describe takes man, bash, zsh or fish, not "perl"'
  refuses bloomery describe
}

@test "the build leaves beside the command what describe prints" {
  local share=${BLOOMERY%/*}/share
  [ -s "$share/man/man1/bloomery.1" ]
  [[ ! $BLOOMERY -nt $share/man/man1/bloomery.1 ]] || skip "only the command was built again"
  diff <(bloomery describe bash) "$share/bash-completion/completions/bloomery"
  diff <(bloomery describe zsh) "$share/zsh/site-functions/_bloomery"
  diff <(bloomery describe fish) "$share/fish/vendor_completions.d/bloomery.fish"
}

# table FILE HEADING: the words in backticks in the first column of that table
table() {
  # shellcheck disable=SC2016 # the backticks are those of Markdown
  awk -F '|' -v heading="$2" '
    index($0, heading) == 1 { on = 1; next }
    on && !/^\|/ { on = 0 }
    on { print $2 }' "$1" | grep -o '`[a-z]*`' | tr -d '`'
}

@test "the table of verbs in the book has every verb, and no other" {
  local book=$BATS_TEST_DIRNAME/../../docs/command.md
  diff <(verbs | sort) <(table "$book" '| verb | does |' | sort)
}

@test "the README names every verb, and says how many there are" {
  local readme=$BATS_TEST_DIRNAME/../../README.md
  # shellcheck disable=SC2016 # as above
  diff <(verbs | sort) <(sed -n 's/^| command | \([^;]*\);.*/\1/p' "$readme" | grep -o '`[a-z]*`' | tr -d '`' | sort)
  local -a words=([21]=twenty-one [22]=twenty-two [23]=twenty-three [24]=twenty-four)
  local count=${words[$(verbs | wc -l)]:?add the next words above}
  tr '\n' ' ' <"$readme" | grep -q "describes all $count verbs"
}

@test "the widths of counters that the book names are those that there are" {
  # shellcheck disable=SC2016 # as above
  grep -qF '`bits=4` (2 to 32 for a counter; with `layout=blocked` 2, 4, 8 or 16)' \
    "$BATS_TEST_DIRNAME/../../docs/command.md"
  local width
  for width in {2..32}; do bloomery create --force -n 10 --kind "counting,bits=$width" f.bloom; done
  for width in 1 33; do refuses bloomery create -n 10 --kind "counting,bits=$width" no.bloom; done
  for width in {2..16}; do
    if [[ $width =~ ^(2|4|8|16)$ ]]; then
      bloomery create --force -n 10 --kind "counting,bits=$width,layout=blocked" f.bloom
    else
      refuses bloomery create -n 10 --kind "counting,bits=$width,layout=blocked" no.bloom
    fi
  done
}
