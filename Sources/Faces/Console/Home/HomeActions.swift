import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// The actions of the Home page, and of the notices and the footer on every page.
struct HomeActions {
    let visit: Visit

    /// Resets the cloud, if the user typed the word.
    func reset() async throws -> Response {
        guard visit.form.first("word")?.lowercased() == "reset" else {
            throw ConsoleRefusal(
                code: "not_confirmed", message: "Nothing was changed. Type the word reset into the field to confirm.")
        }
        return try await finish(await visit.client.post("/reset"), .reset)
    }

    func resumeClock() async throws -> Response {
        try await undoAgings()
        return try await finish(await visit.client.post("/clock", ["resume": true]), .resumed)
    }

    func removeFaults() async throws -> Response {
        try await finish(await visit.client.call(.delete, "/faults", nil), .unfaulted)
    }

    /// Keeps the colors that the user chose.
    func chooseAppearance() throws -> Response {
        guard let choice = Appearance(rawValue: visit.form.first("to") ?? "") else {
            throw ConsoleRefusal(code: "unknown_appearance", message: "The colors can be automatic, light or dark.")
        }
        var response = Visit.seeOther(back)
        response.headers.append(HTTPField(name: .setCookie, value: choice.cookie))
        return response
    }

    /// Sets the clock to before the first aging, which undoes all agings.
    private func undoAgings() async throws {
        let ages = await visit.client.get("/clock").document(ClockMembers.self).ages
        let declared = ages.compactMap { Timestamp(iso8601: $0.declared) }.min()
        guard let declared else { return }
        let before = (declared - .seconds(1)).iso8601
        _ = await visit.client.post("/clock", ["set": .string(before)])
    }

    private func finish(_ answer: ControlAnswer, _ message: DoneMessage) async throws -> Response {
        if let refusal = answer.refusal { throw refusal }
        return Visit.seeOther("\(back)?done=\(message.rawValue)")
    }

    /// The page to return to: the one that showed the notice or the footer.
    private var back: String {
        visit.form.first("back").flatMap { $0.hasPrefix(Visit.path("/")) && $0.isPlainPath ? $0 : nil } ?? Visit.path("/")
    }
}

extension String {
    /// Whether the text is a path without a query, of characters that need no escape, and without segments that lead elsewhere.
    var isPlainPath: Bool {
        guard !split(separator: "/", omittingEmptySubsequences: false).contains(where: { $0 == "." || $0 == ".." }) else { return false }
        guard !contains("//") else { return false }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-._~/".utf8.contains(byte)
            }
        }
    }
}
