import ArgumentParser
import Testing

@testable import VirgaCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Environment variables in place of flags", .serialized)
struct VariablesTests {
    private func with<T>(_ value: String?, _ body: (String) throws -> T) rethrows -> T {
        let name = "TEST_VARIABLE"
        if let value { setenv("VIRGA_" + name, value, 1) }
        defer { unsetenv("VIRGA_" + name) }
        return try body(name)
    }

    @Test("are absent when unset or empty")
    func absence() {
        #expect(with(nil, Variables.value) == nil)
        #expect(with("", Variables.value) == nil)
        #expect(with("x y", Variables.value) == "x y")
    }

    @Test(
        "list several values, separated by commas",
        arguments: [
            ("a,b", ["a", "b"]), (" a , b ", ["a", "b"]), ("a b", ["a b"]), (",", []), (" , ", []), ("a,", ["a"]),
        ])
    func lists(text: String, values: [String]) {
        #expect(with(text, Variables.values) == values)
    }

    @Test(
        "are booleans in several spellings",
        arguments: [("1", true), ("true", true), ("TRUE", true), ("yes", true), ("0", false), ("No", false), ("off", false), ("", false)])
    func flags(text: String, isYes: Bool) throws { #expect(try with(text, Variables.flag) == isYes) }

    @Test("are refused if they are not booleans")
    func noFlag() { #expect(throws: ValidationError.self) { try with("banana", Variables.flag) } }

    @Test("are not required for the built-in seed")
    func builtIn() throws { _ = try Seeds.load([]) }
}
