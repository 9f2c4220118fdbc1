import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlFace {
    private static let usualBodyLimit = 16_384
    private static let usualDuration = Duration.seconds(1800)

    /// `/_virga/journal/capture`: PUT makes the journal keep headers and bodies for a while, DELETE ends that, GET returns the setting.
    func answerCapture(_ call: Call) async throws -> Response {
        let capture = call.cloud.journal.capture
        switch call.method {
        case .put: capture.set(try Self.setting(in: try await body(of: call)))
        case .delete: capture.set(nil)
        default: break
        }
        return .json(Document<CaptureAnswerMembers> { [$0.capture(capture.setting().map(\.document))] }.json)
    }

    private static func setting(in body: JSONObject) throws(ControlError) -> JournalCapture.Setting {
        try body.expect(only: ["body", "for"])
        var limit = usualBodyLimit
        if let value = body["body"] {
            guard let number = value.integerValue, (0...Int64(bodyLimit)).contains(number) else {
                throw malformedMember("'body' must be a number of bytes from 0 to \(bodyLimit).")
            }
            limit = Int(number)
        }
        var duration = usualDuration
        if let text = try body.text("for") {
            guard let given = Duration(iso8601: text), given > .zero, given <= .seconds(86_400) else {
                throw malformedMember("'for' must be an ISO 8601 duration of at most a day, such as PT30M.")
            }
            duration = given
        }
        return .init(bodyLimit: limit, until: .now() + duration)
    }
}

extension JournalCapture.Setting {
    var document: Document<CaptureMembers> { Document { [$0.body(bodyLimit), $0.until(until.iso8601Milliseconds)] } }
}
