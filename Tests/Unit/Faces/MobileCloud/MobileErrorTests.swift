import Calls
import Cloud
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Errors of the mobile cloud")
struct MobileErrorTests {
    @Test("have the members of the platform's errors")
    func members() async throws {
        try await MobileSandbox.run { mobile async throws in
            let answer = try await mobile.get("/mobile/platform/nothing")
            #expect(answer.status == 404)
            #expect(answer.json["status"] == 404)
            #expect(answer["type"] == "http://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html#sec10.4.5")
            #expect(answer["o:errorPath"] == "/mobile/platform/nothing")
            #expect(answer["o:ecid"]?.hasSuffix(", 0") == true)
            #expect(answer.errorCode == MobileErrorKind.unknownPath.code)
            #expect(answer["title"] != nil)
            #expect(answer["detail"] != nil)
            #expect(answer.entry.errorCode == answer.errorCode)
        }
    }

    @Test(
        "are returned for every unknown path below /mobile/ and every unsupported method",
        arguments: [
            (HTTPRequest.Method.get, "/mobile/nothing", 404), (.get, "/mobile/platform", 404), (.post, "/mobile/custom/none/x", 404),
            (.get, "/mobile/system/nothing", 404), (.get, "/mobile/tools/1.0/apis", 404), (.get, "/mobile/platform/users/%zz", 400),
            (.put, "/mobile/platform/appconfig/client", 405), (.delete, "/mobile/platform/storage/collections", 405),
            (.get, "/mobile/system/databaseManagement/tables", 403), (.delete, "/mobile/system/databaseManagement/tables/lifts", 403),
            (.delete, "/mobile/system/databaseManagement/tables", 405), (.get, "/mobile/system/databaseManagement/views", 404),
        ])
    func everywhere(method: HTTPRequest.Method, path: String, status: Int) async throws {
        #expect(MobileCloudFace.answers(path, hasBackends: true))
        try await MobileSandbox.run { mobile async throws in
            let answer = try await mobile.send(method, path, fields: .anonymous(try mobile.backend()))
            #expect(answer.status == status)
            #expect(answer.json["status"] == .integer(Int64(status)))
            #expect(answer.fields[.contentType] == "application/json")
            #expect(answer["o:errorPath"] == path)
            #expect(["type", "title", "detail", "o:ecid", "o:errorCode"].allSatisfy { answer[$0]?.isEmpty == false })
        }
    }

    @Test("are not returned for paths of buckets without a mobile cloud")
    func buckets() {
        #expect(!MobileCloudFace.answers("/mobile/photo.jpg", hasBackends: false))
        #expect(!MobileCloudFace.answers("/mobile/", hasBackends: true))
        #expect(!MobileCloudFace.answers("/mobiles/x", hasBackends: true))
    }

    @Test("are client errors for a truncated body, in the form of the path")
    func cutOff() async throws {
        try await StorageSandbox.run { storage async throws in
            let mobile = storage.mobile
            var fields = HTTPFields.basic("writer:p", try mobile.backend())
            fields[.contentLength] = "5"
            let stored = try await mobile.send(
                .put, StorageSandbox.path + "/pictures/objects/one", .cutOff(), fields: fields)
            #expect(stored.status == 400)
            #expect(stored.errorCode == MobileErrorKind.malformedRequest.code)
            #expect(try await storage.get("/pictures/objects/one", as: "reader").status == 404)
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            for path in ["/token", "/mobile/platform/auth/token"] {
                let answer = try await mobile.send(.post, path, .cutOff(), fields: form)
                #expect(answer.status == 400)
                #expect(answer["error"] == "invalid_request")
            }
        }
    }

    @Test("have a code each")
    func codes() {
        #expect(Set(MobileErrorKind.allCases.map(\.code)).count == MobileErrorKind.allCases.count)
        #expect(MobileErrorKind.unknownBackend.code == "MOBILE-58026")
    }
}
