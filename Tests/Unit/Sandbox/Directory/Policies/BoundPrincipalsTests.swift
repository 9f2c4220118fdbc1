import Policy
import Testing
import WireFormats

@testable import Directory

@Suite("Principals that policies are bound to")
struct BoundPrincipalsTests {
    private static let account = "123456789012"
    private static let ann = "arn:aws:iam::\(account):user/ann"
    private static let app = "arn:aws:iam::\(account):role/app"

    private static let text = """
        {"Statement":[{"Effect":"Allow","Principal":{"AWS":["\(ann)","\(app)","\(account)"]},"Action":"s3:*","Resource":"*"},\
        {"Effect":"Deny","NotPrincipal":{"AWS":"\(ann)"},"Action":"s3:*","Resource":"*"}]}
        """

    private static func directory(user name: String = "ann", id: String = "AIDAANNANNANNANNANN1") throws -> Directory {
        var directory = Directory()
        directory.insert(.user(User(account: account, name: name, path: "/", id: id)))
        let trust = #"{"Statement":{"Effect":"Allow","Principal":{"AWS":"123456789012"},"Action":"sts:AssumeRole"}}"#
        let policy = TrustPolicy(document: try PolicyDocument(parsing: trust, kind: .trust))
        directory.insert(.role(Role(account: account, name: "app", path: "/", id: "AROAAPPAPPAPPAPPAPP1", trustPolicy: policy)))
        return directory
    }

    private static func bound(_ text: String = text) throws -> BoundPrincipals {
        BoundPrincipals(of: try PolicyDocument(parsing: text, kind: .resource), in: try directory())
    }

    @Test("are the users and roles that exist when the policy is saved")
    func saved() throws {
        #expect(try Self.bound().ids == [Self.ann: "AIDAANNANNANNANNANN1", Self.app: "AROAAPPAPPAPPAPPAPP1"])
        let others = Self.text.replacing(Self.ann, with: "AIDAANNANNANNANNANN1").replacing("role/app", with: "role/none")
        #expect(try Self.bound(others).ids == ["AIDAANNANNANNANNANN1": "AIDAANNANNANNANNANN1"])
    }

    @Test("are not found by other characters that compare as equal")
    func exactNames() throws {
        let directory = try Self.directory(user: "Kim")
        #expect(directory.uniqueID(ofPrincipal: "arn:aws:iam::123456789012:user/Kim") != nil)
        #expect(directory.uniqueID(ofPrincipal: "arn:aws:iam::123456789012:user/\u{212A}im") == nil)
    }

    @Test("are stored as text", arguments: ["", "[]", "{", #"{"a":1}"#])
    func stored(_ other: String) throws {
        let bound = try Self.bound()
        #expect(BoundPrincipals(stored: try #require(bound.stored)) == bound)
        #expect(BoundPrincipals(stored: other).ids.isEmpty)
        #expect(BoundPrincipals(ids: [:]).stored == nil)
    }

    @Test("are displayed by their ARNs, and by their identifiers once they are deleted")
    func shown() throws {
        let (bound, json) = (try Self.bound(), try JSONValue(parsing: Self.text))
        #expect(bound.shown(json, in: try Self.directory()) == nil)
        for directory in [try Self.directory(user: "ben", id: "AIDABEN"), try Self.directory(id: "AIDAANNANNANNANNANN2")] {
            let shown = try #require(bound.shown(json, in: directory))
            #expect(shown.serialized() == Self.text.replacing(Self.ann, with: "AIDAANNANNANNANNANN1"))
        }
    }

    @Test("are displayed by their present ARNs if they were renamed")
    func renamed() throws {
        let shown = try Self.bound().shown(try JSONValue(parsing: Self.text), in: try Self.directory(user: "anna"))
        #expect(shown?.serialized() == Self.text.replacing("user/ann\"", with: "user/anna\""))
    }
}
