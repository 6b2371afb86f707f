# plan and info --plot and --svg: the rate over the number of keys.
load helper

export LC_ALL=C.UTF-8
unset NO_COLOR COLUMNS
export TERM=xterm

# with_terminal COLUMNS COMMAND...: its output on a terminal of that width
with_terminal() {
  script -qec "stty cols $1; $(printf '%q ' "$BLOOMERY" "${@:2}")" /dev/null </dev/null | tr -d '\r'
}

@test "plan draws what it was asked for, with the mark at the keys" {
  run -0 bloomery plan -n 1M -p 1% --plot
  [[ "$output" == *"False-positive rate over the number of keys"* ]]
  [[ "$output" == *"split-8x64, 10,099,712 bits (1.20 MiB), 8 hashes per key"* ]]
  [[ "$output" == *"◆ made for 1,000,000 keys: 1.000 %"* ]]
  # the mark is in the row of 1 %, over the tick of a million
  row=$(grep '^ *1 % ┤' <<<"$output")
  [[ "$row" == *◆* ]]
  [[ "$output" == *"0              500k               1M              1.5M              2M"* ]]
  [[ "$output" == *⠤* ]] # dots of Braille
}

@test "info marks what is in the filter now" {
  bloomery create -n 10k -p 1% f.bloom
  seq 5000 | bloomery add f.bloom
  run -0 bloomery info --plot f.bloom
  [[ "$output" == "kind      bloom"*"◆ made for 10,000 keys: 0.981 %"*"● now about "*" keys: "* ]] || { echo "$output"; false; }
  grep -v 'now about' <<<"$output" | grep -q '●.*' # and on the curve
  bloomery create --bits 10k -k 3 bare.bloom # made for nobody knows how many
  run -0 bloomery info --plot bare.bloom
  [[ "$output" != *"made for"* && "$output" == *"● now about 0 keys"* ]]
  bloomery create -n 10k other.bloom
  bloomery intersect f.bloom other.bloom -o both.bloom
  run -0 bloomery info --plot both.bloom
  [[ "$output" == *"● now at most about 0 keys"* ]]
}

@test "every kind and format has a picture" {
  for kind in counting counting,layout=blocked spectral dynamic-count dleft accurate scalable window; do
    bloomery create --force --kind $kind -n 1000 f.bloom
    bloomery info --plot f.bloom | grep -q '◆ made for 1,000 keys: '
    bloomery plan --kind $kind -n 1000 --plot | grep -q '◆ made for 1,000 keys: '
  done
  bloomery create --format guava -n 1000 f.guava
  bloomery info --plot f.guava | grep -q '● now about 0 keys'
  bloomery create --split -n 1000 s.bloom
  bloomery info --plot s.bloom | grep -q '◆ made for 1,000 keys: '
}

@test "plain ASCII where the locale is not UTF-8 or the terminal is dumb" {
  for setting in LC_ALL=C TERM=dumb; do
    env "$setting" "$BLOOMERY" plan -n 1M --plot >out
    grep -q '^ *1 % |.*o' out
    grep -q 'o made for 1,000,000 keys' out
    if LC_ALL=C grep -q '[^ -~]' out; then cat out; false; fi
  done
}

@test "as wide as the terminal, and colours only there" {
  with_terminal 60 plan -n 1M --plot >out
  [ "$(grep └ out | wc -m)" = 60 ] # with the end of the line, and a column free
  grep -q $'\x1b\\[36m' out
  NO_COLOR=1 with_terminal 60 plan -n 1M --plot >out
  if grep -q $'\x1b' out; then false; fi
  TERM=dumb with_terminal 60 plan -n 1M --plot >out
  if grep -q $'\x1b' out; then false; fi
  bloomery plan -n 1M --plot >out
  if grep -q $'\x1b' out; then false; fi
  COLUMNS=50 bloomery plan -n 1M --plot >narrow
  [ "$(grep └ narrow | wc -m)" -le 51 ] # and the end of the line
  [ "$(grep └ out | wc -m)" -gt 70 ]
}

@test "the same picture as SVG" {
  bloomery plan -n 1M -p 1% --svg p.svg >text
  head -n 1 p.svg | grep -q '^<svg xmlns="http://www.w3.org/2000/svg" '
  [ "$(tail -n 1 p.svg)" = "</svg>" ]
  grep -q 'prefers-color-scheme: dark' p.svg
  grep -q '>made for 1,000,000 keys: 1.000 %</text>' p.svg
  grep -q '>0.001 %</text>' p.svg
  grep -q '<path class="curve" d="M' p.svg
  bloomery plan -n 1M -p 1% | cmp - text # the text is as without
  bloomery plan -n 1M -p 1% --json --svg q.svg | grep -q '"layout"'
  cmp p.svg q.svg
  bloomery create -n 1000 f.bloom
  seq 100 | bloomery add f.bloom
  bloomery info --svg now.svg f.bloom >text
  grep -q 'class="now">now about ' now.svg
}

@test "the picture in the documentation is the one that the command makes" {
  bloomery plan -n 1M -p 1% --svg plan.svg >text
  cmp plan.svg "$BATS_TEST_DIRNAME/../../docs/images/plan.svg"
}

@test "a picture does not take the place of a file unless told to" {
  echo mine >p.svg
  refuses bloomery plan -n 1M --svg p.svg
  says "p.svg already exists: File exists; use --force to overwrite it"
  [ "$(cat p.svg)" = mine ]
  bloomery plan -n 1M --svg p.svg --force >text
  head -n 1 p.svg | grep -q '^<svg'
  [ "$(echo *.tmp)" = '*.tmp' ]
  echo mine >target.svg
  ln -s target.svg link.svg
  bloomery plan -n 1M --svg link.svg --force >text # through a link to what it leads to
  [ -L link.svg ] && cmp target.svg p.svg
  refuses bloomery plan -n 1M --svg missing/p.svg
  says "No such file or directory"
  refuses bloomery plan -n 1M --svg -
  refuses bloomery plan -n 1M --force
  refuses bloomery plan -n 1M --plot --json
  bloomery create -n 10 a.bloom
  refuses bloomery info --svg q.svg a.bloom a.bloom
  says "--svg draws one filter"
}

@test "a full disk is reported" {
  refuses bloomery plan -n 1M --svg /dev/full
  says "cannot write to /dev/full: No space left on device"
}

@test "the picture of the README is drawn from its figures" {
  "$BATS_TEST_DIRNAME/../../bench/bars" "$BATS_TEST_DIRNAME/../../bench/first-look.tsv" |
    cmp - "$BATS_TEST_DIRNAME/../../docs/images/first-look.svg"
}
