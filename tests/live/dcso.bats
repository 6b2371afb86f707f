# DCSO's command, which takes lines: plain files and packed ones.
load helper
packages() { echo golang-github-dcso-bloom-cli; }
# Other commands are called bloom too.
original() { command -v bloom && bloom --help | grep -q 'set-data'; }
build() { :; }

# same_filter: `theirs` and `ours` are one, and answer as one
same_filter() {
  same_bytes theirs ours
  same_answers theirs --key bytes -- bloom check ours
}

# both_ways N P
both_ways() {
  draw line "$1" "$1"
  bloom create -n "$1" -p "$2" theirs
  bloom insert theirs <present
  bloomery create --force --format dcso -n "$1" -p "$2" ours
  bloomery add --key bytes ours present
  same_filter
}

@test "the same file and answers as DCSO's" {
  both_ways 1 0.5
  both_ways 100 0.3
  both_ways 500 0.01
  both_ways 1000 1e-6
}

# What gzip makes of the same bytes is every program's own affair.
@test "packed files: each reads the other's" {
  draw line 300
  bloom --gzip create -n 300 -p 0.1 theirs
  bloom --gzip insert theirs <present
  bloomery create --format dcso -n 300 -p 0.1 ours
  bloomery add --key bytes ours present
  gzip -dc theirs | cmp - ours
  same_answers theirs --key bytes -- bloom --gzip check theirs
  # A packed file stays packed.
  keys line 100 7 >added
  bloom --gzip insert theirs <added
  cp theirs f
  bloomery add --key bytes f added
  gzip -t f
  same_answers f --key bytes -- bloom --gzip check f
}

@test "one filter passes from hand to hand with its data, and ends as if one had made it" {
  draw line 600
  split -n l/3 present part.
  bloom create -n 600 -p 0.05 ours
  printf 'since %s' "$BLOOMERY_LIVE_SEED" | bloom set-data ours
  bloom insert ours <part.aa
  bloomery add --key bytes ours part.ab
  bloom insert ours <part.ac
  [ "$(bloom get-data ours)" = "since $BLOOMERY_LIVE_SEED" ]
  bloom create -n 600 -p 0.05 theirs
  printf 'since %s' "$BLOOMERY_LIVE_SEED" | bloom set-data theirs
  bloom insert theirs <present
  same_filter
}

@test "what DCSO joins and what we merge is one" {
  draw line 300
  split -n l/2 present part.
  local part
  for part in part.aa part.ab; do
    bloom create -n 300 -p 0.1 "$part.bloom"
    bloom insert "$part.bloom" <"$part"
  done
  bloomery merge part.aa.bloom part.ab.bloom -o ours
  cp part.aa.bloom theirs
  bloom join theirs part.ab.bloom
  same_filter
}

@test "what bloom show tells" {
  local name value
  draw line 250
  bloomery create --format dcso -n 200 -p 0.02 f
  bloomery add --key bytes f present
  while IFS=$'\t' read -r name value; do
    name=${name%:}
    [[ $name = File ]] || same_number "$(told "${name// /_}" info --json f)" "${value//$'\t'/}"
  done < <(bloom show f)
}
