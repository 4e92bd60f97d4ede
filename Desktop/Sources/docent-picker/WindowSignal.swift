/// What a signal of a control is about.
enum WindowSignal: Int {
    case cancel = 1
    case up
    case confirm
    case filter
    case name
    case retry
    case replace
    case useCopies
    case stop
    case select
    /// Something in what a program gets has changed.
    case terms
    /// Something in what a file dialog asks beside the files has changed.
    case dialog
    /// Shows where the name of a new folder is typed, or hides it.
    case newFolder
    case makeFolder
    /// Enter in the filter.
    case enter
    case escape
    case reload
    /// From the filter to the rows.
    case down
}
