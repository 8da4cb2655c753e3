// The command line's front door.

@main
enum Sphero {
  static func main() {}
}
