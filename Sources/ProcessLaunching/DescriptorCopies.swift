import CLinux
import Glibc

/// Close-on-exec copies of descriptors to be passed on, with numbers above all that the program is to have. Without
/// them, giving one descriptor its number could overwrite another that is still needed. Closed with this value.
final class DescriptorCopies {
    /// For each source the number of its copy; -1 for one that needs none.
    private(set) var numbers: [CInt] = []

    init(_ sources: [ProgramLaunch.Source]) throws(LaunchFailure) {
        for source in sources {
            guard case .copy(let descriptor) = source else {
                numbers.append(-1)
                continue
            }
            let copy = clinux_dup_above(descriptor, CInt(sources.count))
            // `deinit` closes the copies made so far.
            guard copy >= 0 else { throw LaunchFailure(code: -copy) }
            numbers.append(copy)
        }
    }

    deinit {
        for number in numbers where number >= 0 { clinux_close(number) }
    }
}
