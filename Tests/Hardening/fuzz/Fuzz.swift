#if canImport(Glibc)
    import Glibc
#endif

/// Runs libFuzzer with the arguments of the command line. `FUZZ_TARGET` names the parser; see ``targets``.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, parse))
    }
}

/// libFuzzer's main function (FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ parse: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private func parse(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let time = duration(of: bytes)
    if time > slowest { report(min(time, duration(of: bytes)), for: bytes) }
    return 0
}

private let target: Target = {
    guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }), let target = targets[name] else {
        fatalError("FUZZ_TARGET must be one of \(targets.keys.sorted().joined(separator: ", "))")
    }
    return target
}()

/// The longest time that an input took so far, in microseconds. libFuzzer calls the parser on one thread.
nonisolated(unsafe) private var slowest = 0

/// The time after which an input counts as a fault, in microseconds: `FUZZ_SLOW` milliseconds.
private let limit = getenv("FUZZ_SLOW").flatMap { Int(String(cString: $0)) }.map { $0 * 1000 } ?? .max

/// Parses an input, and returns the processor time in microseconds, which does not depend on the load of the machine.
private func duration(of bytes: [UInt8]) -> Int {
    let begin = clock()
    target(bytes)
    return clock() - begin
}

/// Prints the time of the slowest input so far, and ends the process if it is over the limit.
private func report(_ time: Int, for bytes: [UInt8]) {
    guard time > slowest else { return }
    slowest = time
    let line = "slowest: \(time) µs, \(bytes.count) bytes\n"
    write(STDERR_FILENO, line, line.utf8.count)
    precondition(time <= limit, "an input takes \(time / 1000) ms")
}
