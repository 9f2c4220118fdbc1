import Testing
import WireFormats

@Suite("Integers in texts")
struct DigitsTests {
    @Test("consist of digits only", arguments: [("0", 0), ("007", 7), ("2147483647", 2_147_483_647)])
    func digits(text: String, number: Int) {
        #expect(Int(digits: text) == number)
        #expect(Int(digits: Substring(text)) == number)
        #expect(Int(decimal: text) == number)
    }

    @Test("are refused with other characters", arguments: ["", "+5", " 5", "5 ", "0x5", "5.0", "5e1", "1_000", "\u{665}", "+", "-"])
    func others(text: String) {
        #expect(Int(digits: text) == nil)
        #expect(Int(decimal: text) == nil)
    }

    @Test("can be negative only if the caller allows a sign")
    func negative() {
        #expect(Int64(decimal: "-5") == -5)
        #expect(Int64(digits: "-5") == nil)
        #expect(Int64(decimal: "--5") == nil)
        #expect(Int64(decimal: "-+5") == nil)
    }

    @Test("fit their type")
    func size() {
        #expect(UInt8(digits: "255") == 255)
        #expect(UInt8(digits: "256") == nil)
        #expect(UInt16(digits: "65536") == nil)
        #expect(Int64(digits: "9223372036854775807") == .max)
        #expect(Int64(digits: "9223372036854775808") == nil)
        #expect(Int64(digits: "92233720368547758070") == nil)
        #expect(Int(digits: String(repeating: "9", count: 40)) == nil)
        #expect(Int64(digits: String(repeating: "0", count: 40) + "1") == 1)
        #expect(Int32(decimal: "-2147483648") == .min)
        #expect(Int32(decimal: "-2147483649") == nil)
    }
}
