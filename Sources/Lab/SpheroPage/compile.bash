# Compiles modules of the package as Embedded Swift; sourced by Sources/Lab/SpheroPage/build and Tests/Tools/embedded.
#
# The working directory is the root of the package, and `products` is the output folder.

# Some variables are set or used by the caller.
# shellcheck disable=SC2034,SC2154

tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
resources=$(swiftc -print-target-info | sed -nE 's/.*"runtimeResourcePath": "(.*)".*/\1/p')
c_sources=Sources/Lab/SpheroPage/C

# The modules without input and output.
embedded_modules=(
  SpheroLibc SpheroText SpheroProtocol SpheroOrientation SpheroControls SpheroBluetooth SpheroHost SpheroModel SpheroMotion
  SpheroCapture SpheroDrawing
)

# The compiler settings of Package.swift.
embedded_flags=(-swift-version 6 -strict-memory-safety -package-name sphero)
# The names have no spaces.
# shellcheck disable=SC2013
for feature in $(sed -nE 's/.*enableUpcomingFeature\("([A-Za-z]+)"\).*/\1/p' Package.swift); do
  embedded_flags+=(-enable-upcoming-feature "$feature")
done
# Without an operating system there is neither a stack protector nor libm.
embedded_flags+=(-enable-experimental-feature Embedded -wmo -parse-as-library)
embedded_flags+=(-Xfrontend -disable-stack-protector -I "$c_sources/maths")

# has_target TARGET: whether the toolchain has an Embedded standard library for it.
has_target() { [ -e "$resources/embedded/Swift.swiftmodule/$1.swiftmodule" ]; }

# compile TARGET MODULE FILE...
compile() {
  local target=$1 module=$2 object="$products/$1/$2.o"
  shift 2
  mkdir -p "$products/$target"
  # Code that never runs is compiled without optimization in half of the time.
  local size=-Onone
  case $target in wasm32-*) size=-Osize ;; esac
  swiftc "$size" -target "$target" "${embedded_flags[@]}" -I "$products/$target" -module-name "$module" \
    -emit-module -emit-module-path "$products/$target/$module.swiftmodule" -c "$@" -o "$object"
  # Names of enum cases and types require reflection, whose absence shows only at run time.
  if grep -q 'cannot print value in embedded Swift' "$object"; then
    echo "$target: $module prints a value that Embedded Swift cannot print; specify its name in the source" >&2
    return 1
  fi
}

# folder_of MODULE: prints the folder of a module.
folder_of() { if [ -d "Sources/$1" ]; then echo "Sources/$1"; else echo "Sources/Lab/$1"; fi; }

# imports_of MODULE: prints the modules of the package that a module imports.
imports_of() { grep -rhoE '^ *(@_exported )?(public |package |internal |private )?import Sphero[A-Za-z]+' "$(folder_of "$1")" | sed 's/.* //' | sort -u; }

# compile_module TARGET MODULE: compiles a module unless its sources, its imports and the compiler are unchanged.
compile_module() {
  local object="$products/$1/$2.o" files sources module
  files=$(find "$(folder_of "$2")" -name '*.swift' | sort)
  # No path in the package has a space.
  # shellcheck disable=SC2086
  sources=$({ swiftc --version 2>/dev/null && cat Package.swift Sources/Lab/SpheroPage/compile.bash $files &&
    for module in $(imports_of "$2"); do cat "$products/$1/$module.o.sources" || exit 1; done; } | cksum)
  if [ -e "$object" ] && [ "$(cat "$object.sources" 2>/dev/null)" = "$sources" ]; then return; fi
  rm -f "$object.sources"
  # shellcheck disable=SC2086
  compile "$1" "$2" $files
  echo "$sources" >"$object.sources"
}

# compile_modules TARGET MODULE...: compiles modules, each after its imports; independent modules are compiled side by side.
compile_modules() {
  local target=$1 status=0 module process ready later processes
  shift
  mkdir -p "$products/$target"
  while [ $# -gt 0 ]; do
    ready=() later=() processes=()
    for module in "$@"; do
      if printf '%s\n' "$@" | grep -qxF "$(imports_of "$module")"; then later+=("$module"); else ready+=("$module"); fi
    done
    [ ${#ready[@]} -gt 0 ] || { echo "these modules import each other: $*" >&2 && return 1; }
    for module in "${ready[@]}"; do
      compile_module "$target" "$module" &
      processes+=($!)
    done
    for process in "${processes[@]}"; do wait "$process" || status=1; done
    [ "$status" -eq 0 ] || return 1
    set -- ${later[@]+"${later[@]}"}
  done
}

# link_wasm OUTPUT OBJECT...: only mathematical functions and number parsing remain imports.
link_wasm() {
  local output=$1
  shift
  "$tools/clang" --target=wasm32-unknown-none -Os -ffreestanding -fno-builtin -Wall -Werror \
    -c "$c_sources/libc.c" -o "$products/libc.o"
  { echo number && sed -nE 's/^double ([a-z0-9]+)\(.*/\1/p' "$c_sources/maths/maths.h"; } >"$products/imports"
  "$tools/wasm-ld" --error-limit=0 --no-entry --gc-sections --strip-all --stack-first -z stack-size=1048576 \
    --allow-undefined-file="$products/imports" "$@" "$products/libc.o" \
    "$resources/embedded/wasm32-unknown-none-wasm/libswiftUnicodeDataTables.a" -o "$output"
}
