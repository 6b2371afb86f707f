#!/usr/bin/env bats
# translations.sh notices a translation that no longer follows its English page.

setup() {
  cd "$BATS_TEST_TMPDIR" || exit
  mkdir -p project/docs/zh project/tests/docs
  cp "$BATS_TEST_DIRNAME/translations.sh" project/tests/docs/
  cd project || exit
  printf '# Title\n\n```cpp\nint a = 1;  // one\n// two\nf("https://x.example/");\n```\n' >docs/page.md
  printf '%s\n# 标题\n\n```cpp\nint a = 1;  // 一\n// 二\nf("https://x.example/");\n```\n' \
    '<!-- follows docs/page.md sha256:000000000000 -->' >docs/zh/page.md
  tests/docs/translations.sh --update docs/zh/page.md
}

check() { run tests/docs/translations.sh; echo "$output"; }
passes() { check; [[ $status -eq 0 && -z $output ]]; }
# fails TEXT: names the page and says TEXT
fails() { check; [[ $status -ne 0 && $output == *"docs/zh/page.md: "*"$1"* ]]; }

@test "a page that follows the current English page passes, with translated comments" {
  passes
  run grep -c "sha256:$(sha256sum docs/page.md | cut -c 1-12) -->" docs/zh/page.md
  [[ $output == 1 ]]
}

@test "a change to the English page is noticed, with what to do, until the page is updated" {
  echo 'More.' >>docs/page.md
  fails 'docs/page.md has changed'
  [[ $output == *'tests/docs/translations.sh --update docs/zh/page.md'* ]]
  cd docs
  ../tests/docs/translations.sh --update zh/page.md
  cd ..
  passes
}

@test "the difference that the message shows is the one since the last stamp" {
  git init -q .
  git config user.name t
  git config user.email t@example.org
  git add . && git commit -qm one
  echo 'More.' >>docs/page.md
  git add . && git commit -qm two
  echo '错字' >>docs/zh/page.md
  git add . && git commit -qm three
  fails 'docs/page.md has changed'
  command=$(sed -n 's/^ *1\. see what changed: *//p' <<<"$output")
  run bash -c "$command"
  echo "$output"
  [[ $output == *'+More.'* ]]
}

@test "code that differs is noticed, also in a page with the right stamp" {
  sed -i 's/int a = 1;/int a = 2;/' docs/zh/page.md
  fails 'the code differs from docs/page.md'
  sed -i 's/int a = 2;/int a = 1;/; s/x\.example/y.example/' docs/zh/page.md
  fails 'the code differs from docs/page.md'
  sed -i 's/y\.example/x.example/' docs/zh/page.md
  passes
  printf '```sh\ntrue\n```\n' >>docs/zh/page.md
  fails 'the code differs from docs/page.md'
}

@test "a comment in a shell block may differ, a command may not" {
  printf '```console\n$ true  # yes\n```\n' >>docs/page.md
  printf '```console\n$ true  # 是\n```\n' >>docs/zh/page.md
  tests/docs/translations.sh --update docs/zh/page.md
  passes
  sed -i 's/^\$ true/$ false/' docs/zh/page.md
  fails 'the code differs from docs/page.md'
}

@test "a page without a stamp, and one whose English page is gone, are noticed" {
  sed -i 1d docs/zh/page.md
  fails 'the first line must be'
  run tests/docs/translations.sh --update docs/zh/page.md
  [[ $status -ne 0 && $output == *'the first line must be'* ]]
  sed -i '1i <!-- follows docs/none.md sha256:000000000000 -->' docs/zh/page.md
  fails 'docs/none.md, which does not exist'
}

@test "the README in another language is checked too" {
  echo '# Title' >README.md
  echo '# 标题' >README.zh-CN.md
  check
  [[ $status -ne 0 && $output == 'README.zh-CN.md: the first line must be'* ]]
}
