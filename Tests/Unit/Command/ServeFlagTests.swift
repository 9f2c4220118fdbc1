import ArgumentParser
import Testing

@testable import VirgaCommand

@Suite("Flags of serve")
struct ServeFlagTests {
    private enum Colour: String, CaseIterable {
        case red, green, blue
    }

    @Test("accept the numbers of their range", arguments: [1, 86_400] as [Int64])
    func numbers(number: Int64) throws {
        #expect(try ServeFlag.lifecycleDay.number(number, in: 1...86_400) == number)
    }

    @Test("refuse other numbers", arguments: [0, 86_401] as [Int64])
    func otherNumbers(number: Int64) throws {
        let error = try #require(throws: ValidationError.self) {
            try ServeFlag.lifecycleDay.number(number, in: 1...86_400, unit: "seconds")
        }
        #expect(error.message == "--lifecycle-day must be from 1 to 86400 seconds, not \(number).")
    }

    @Test("accept each of their choices", arguments: ["red", "green", "blue"])
    func choices(name: String) throws {
        let choice: Colour? = try ServeFlag.dialect.choice(name)
        #expect(choice?.rawValue == name)
    }

    @Test("name their choices where they refuse another")
    func otherChoices() throws {
        let error = try #require(throws: ValidationError.self) { () throws -> Colour? in try ServeFlag.dialect.choice("Red") }
        #expect(error.message == "--dialect must be red, green or blue, not Red.")
    }
}
