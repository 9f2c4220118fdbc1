import Calls
import Cloud
import Fixtures
import HTTPTypes
import OSSFace
import Testing

@Suite("Truncated request bodies at OSS")
struct CutOffBodyTests {
    @Test("cause a client error, and change nothing", arguments: ["", "half"])
    func oss(begin: String) async throws {
        try await OSSSandbox.run { oss in
            let answer = try await oss.send(.put, "/files/new", cutOffAfter: begin)
            #expect(answer.status == 400, "\(answer.code ?? "")")
            #expect(answer.code == "IncompleteBody", "\(answer.code ?? "")")
            #expect(try await oss.send(.get, "/files/new").status == 404)
        }
    }
}
