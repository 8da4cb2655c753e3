# What the recipes and the fleet share: blocks of a page, programs that are there, rows of a report.

# The caller sets `root`.
# shellcheck disable=SC2154
page=$root/Docs/Recipes.md
rows=0
failures=0

# Prints the block after `<!-- recipe: $1 -->`, without its fences.
block() {
  local text
  text=$(awk -v mark="<!-- recipe: $1 -->" '
    $0 == mark { wanted = 1; next }
    wanted && /^```/ { if (inside) exit; inside = 1; next }
    inside { print }' "$page")
  if [ -z "$text" ]; then
    echo "$page has no block after <!-- recipe: $1 -->" >&2
    return 1
  fi
  printf '%s\n' "$text"
}

# Prints a row: whether it holds | what, $2 | measured, $3. $1 is the code of the check, 0 where it holds;
# it must be the first word, `row $?`, since `$(…)` in a later one replaces $?.
row() {
  rows=$((rows + 1))
  [ "$1" -eq 0 ] || failures=$((failures + 1))
  printf '%s | %s | %s\n' "$([ "$1" -eq 0 ] && echo ok || echo FAILS)" "$2" "$3"
}

# Whether all programs $2... are there; says what is skipped, $1, where one is not.
have() {
  local name=$1 program
  shift
  for program; do
    if ! command -v "$program" >/dev/null; then
      echo "skipped: $name, because there is no $program"
      return 1
    fi
  done
}

# Whether $1 is between $2 and $3; false where it is not a number.
between() {
  awk -v value="$1" -v low="$2" -v high="$3" \
    'BEGIN { exit !(value ~ /^-?[0-9.]+([eE][-+]?[0-9]+)?$/ && value + 0 >= low && value + 0 <= high) }'
}

# Looks ten times a second, until a command holds, or until it has not for about $1 seconds.
within() {
  local end=$((SECONDS + $1 + 1))
  shift
  while ! "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

# Prints how many rows there were, and ends with 1 where one failed or none was.
conclude() {
  if [ "$failures" -gt 0 ] || [ "$rows" -eq 0 ]; then
    echo "$failures of $rows rows do not hold" >&2
    exit 1
  fi
  echo "$rows rows, and all hold"
}
