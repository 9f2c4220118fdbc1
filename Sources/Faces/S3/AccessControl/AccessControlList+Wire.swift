import Cloud
import Directory
import Federation
import ObjectStore
import WireFormats

extension AccessControlList.Permission {
    /// The name in XML documents.
    var name: String {
        switch self {
        case .fullControl: "FULL_CONTROL"
        case .read: "READ"
        case .write: "WRITE"
        case .readACP: "READ_ACP"
        case .writeACP: "WRITE_ACP"
        }
    }

    fileprivate init?(named name: String) {
        guard let permission = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = permission
    }
}

/// The document that the ACL operations read and return. (S3 API Reference, "AccessControlPolicy".)
struct AccessControlPolicy {
    /// The maximum number of grants in an ACL. (S3 User Guide, "Access control list (ACL) overview".)
    private static let mostGrants = 100

    /// Canonical user ID of the owner.
    var owner: String
    var list: AccessControlList

    /// Parses the document.
    /// - Throws: `MalformedACLError`, and the errors of ``GranteeReader``.
    init(_ element: XMLElement, _ reader: GranteeReader) throws(S3Error) {
        var owner: String?
        var grants: [AccessControlList.Grant]?
        for child in element.children {
            switch child.name {
            case "Owner": owner = child.child("ID")?.text
            case "AccessControlList":
                grants = try child.children.map { grant throws(S3Error) in try AccessControlList.Grant(grant, reader) }
            default: throw S3Error(.malformedACL)
            }
        }
        guard let owner, let grants, grants.count <= Self.mostGrants else { throw S3Error(.malformedACL) }
        self.owner = owner
        list = AccessControlList(grants: grants)
    }
}

extension AccessControlList.Grant {
    private static let schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

    init(_ element: XMLElement, _ reader: GranteeReader) throws(S3Error) {
        guard element.name == "Grant", let grantee = element.child("Grantee"),
            let permission = element.child("Permission").flatMap({ AccessControlList.Permission(named: $0.text) })
        else { throw S3Error(.malformedACL) }
        let type = grantee.attributes.first { $0.name == "type" && $0.namespace == Self.schemaInstance }?.value
        switch type {
        case "CanonicalUser":
            guard let id = grantee.child("ID")?.text else { throw S3Error(.malformedACL) }
            self.init(try reader.canonicalUser(id, "CanonicalUser/ID"), permission)
        case "Group":
            guard let uri = grantee.child("URI")?.text else { throw S3Error(.malformedACL) }
            self.init(try reader.group(uri, "Group/URI"), permission)
        case "AmazonCustomerByEmail":
            guard let address = grantee.child("EmailAddress")?.text else { throw S3Error(.malformedACL) }
            self.init(try reader.mail(address), permission)
        default: throw S3Error(.malformedACL)
        }
    }

    /// Writes the grant.
    /// - Parameter directory: supplies the display names of accounts; `nil` to omit the names.
    func encode(naming directory: Directory?, into xml: inout XMLWriter) {
        let type =
            switch grantee {
            case .canonicalUser: "CanonicalUser"
            case .group: "Group"
            case .email: "AmazonCustomerByEmail"
            }
        xml.element("Grant") { xml in
            xml.element("Grantee", attributes: ["xmlns:xsi": Self.schemaInstance, "xsi:type": type]) { xml in
                switch grantee {
                case .canonicalUser(let id):
                    xml.element("ID", id)
                    if let account = directory?.account(ofCanonicalUser: id) { xml.element("DisplayName", account.name) }
                case .group(let uri): xml.element("URI", uri)
                case .email(let address): xml.element("EmailAddress", address)
                }
            }
            xml.element("Permission", permission.name)
        }
    }
}

extension AccessControlList {
    /// Writes the members of `AccessControlPolicy`. In the AWS dialect grants keep their order; in the Ceph dialect groups come before
    /// users.
    func encode(owner: CanonicalUser, _ directory: Directory, _ dialect: Dialect, into xml: inout XMLWriter) {
        owner.encode(as: "Owner", into: &xml)
        let grants = dialect == .ceph ? grants.filter(\.isToGroup) + grants.filter { !$0.isToGroup } : grants
        xml.element("AccessControlList") { xml in
            for grant in grants { grant.encode(naming: dialect == .ceph ? directory : nil, into: &xml) }
        }
    }
}

extension AccessControlList.Grant {
    fileprivate var isToGroup: Bool { if case .group = grantee { true } else { false } }
}
