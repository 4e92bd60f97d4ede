@main
struct DocentPicker { static func main() {} }
