# Installs the command with Homebrew: brew install --build-from-source Formula/sphero.rb
# Before a release, set OWNER, and sha256 to the checksum of the tag's archive.
class Sphero < Formula
  desc "Command-line for the first Sphero robots, with simulated robots"
  homepage "https://github.com/OWNER/sphero"
  url "https://github.com/OWNER/sphero/archive/refs/tags/0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"
  head "https://github.com/OWNER/sphero.git", branch: "main"

  # The build requires Swift 6.3 or newer.
  depends_on xcode: :build
  depends_on macos: :sequoia
  uses_from_macos "swift" => :build

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "sphero"
    bin.install ".build/release/sphero"
    generate_completions_from_executable(bin/"sphero", "help", "--completions")
    (man1/"sphero.1").write Utils.safe_popen_read(bin/"sphero", "help", "--man")
  end

  test do
    lines = shell_output("#{bin}/sphero stream --port sim: --count 3 --format csv").lines
    assert_equal 4, lines.count
  end
end
