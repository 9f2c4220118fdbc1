import Testing

@testable import VirgaCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Variables that stand in for flags", .serialized)
struct VariablesTests {
    private func with<T>(_ value: String?, _ body: (String) -> T) -> T {
        let name = "TEST_VARIABLE"
        if let value { setenv("VIRGA_" + name, value, 1) }
        defer { unsetenv("VIRGA_" + name) }
        return body(name)
    }

    @Test("are absent when unset or empty")
    func absence() {
        #expect(with(nil, Variables.value) == nil && with("", Variables.value) == nil)
        #expect(with("x y", Variables.value) == "x y")
    }

    @Test(
        "list several values between commas",
        arguments: [
            ("a,b", ["a", "b"]), (" a , b ", ["a", "b"]), ("a b", ["a b"]), (",", []), (" , ", []), ("a,", ["a"]),
        ])
    func lists(text: String, values: [String]) {
        #expect(with(text, Variables.values) == values)
    }

    @Test("say yes in two ways", arguments: [("1", true), ("true", true), ("TRUE", true), ("0", false), ("yes", false)])
    func flags(text: String, isYes: Bool) { #expect(with(text, Variables.flag) == isYes) }

    @Test("are not needed for the seed that is built in")
    func builtIn() throws { _ = try Seeds.load([]) }
}
