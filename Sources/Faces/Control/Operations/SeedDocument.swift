import Cloud
import ControlDocuments
import Seeds
import WireFormats

/// A part of a seed that calls accept and return as a document, and its schema in the OpenAPI document.
enum SeedDocument: String, CaseIterable {
    case seed = "Seed"
    case backend = "Backend"
    case realm = "Realm"
    case mobileUser = "MobileUser"
    case customAPI = "CustomAPI"
    case certificate = "TokenCertificate"
    case samlIssuer = "SAMLTokenIssuer"
    case teamMember = "TeamMember"
    case collection = "StorageCollection"
    case locations = "Locations"
    case app = "App"
    case serviceProvider = "ServiceProvider"
    case identityProvider = "IdentityProvider"
    case person = "Person"

    /// A reference to the schema.
    var schema: JSONValue { ["$ref": .string("#/components/schemas/\(rawValue)")] }

    /// The schema itself; `nil` if seeds have no such part.
    var definition: JSONValue? {
        switch self {
        case .seed: SeedSchema.part()
        case .backend: Self.withEnvironmentURLs(SeedSchema.part("mobileCloud", "backends"))
        case .realm: SeedSchema.part("mobileCloud", "realms")
        case .mobileUser: SeedSchema.part("mobileCloud", "realms", "users")
        case .customAPI: SeedSchema.part("mobileCloud", "customAPIs")
        case .certificate: SeedSchema.part("mobileCloud", "certificates")
        case .samlIssuer: SeedSchema.part("mobileCloud", "samlIssuers")
        case .teamMember: SeedSchema.part("mobileCloud", "teamMembers")
        case .collection: SeedSchema.part("mobileCloud", "collections")
        case .locations: SeedSchema.part("mobileCloud", "locations")
        case .app: SeedSchema.part("identityProviders", "clients")
        case .identityProvider: SeedSchema.part("identityProviders")
        case .person: SeedSchema.part("identityProviders", "people")
        case .serviceProvider: SeedSchema.part("identityProviders", "saml", "serviceProviders")
        }
    }

    /// Returns the schema of a backend with environment URLs. Responses contain them; requests may contain them.
    private static func withEnvironmentURLs(_ schema: JSONValue?) -> JSONValue? {
        guard var backend = schema?.objectValue, var properties = backend["properties"]?.objectValue else { return nil }
        properties["environmentURLs"] = [
            "type": "object", "description": "The addresses of the environment; read only.", "additionalProperties": Schemas.text,
        ]
        backend["properties"] = .object(properties)
        return .object(backend)
    }
}
