import Cloud
import ObjectServing
import ObjectStore
import WireFormats

/// A configuration of which a bucket can have many.
enum OSSNamedKind: String, Hashable, Sendable, CaseIterable {
    // The raw value is the sub-resource.
    case inventory
    case style

    /// The properties of a kind.
    struct Descriptor: Sendable {
        /// As operations spell it.
        var name: String
        var actions: (get: OSSAction, list: OSSAction, put: OSSAction, delete: OSSAction)
        var document: BucketDocument
        var root: String
        /// The parameter that names one.
        var parameter: String
        /// The element with the name.
        var nameElement: String
        /// The error code for a missing configuration, and the member of the error with its name.
        var missing: (code: OSSError.Code, member: String)
        /// How many a bucket may have. (OSS User Guide, "Bucket inventory", "Usage notes"; "Image styles".)
        var limit: Int
        var schema: [DocumentSchema.Member]
    }

    /// The row of the kind.
    var descriptor: Descriptor {
        switch self {
        case .inventory:
            Descriptor(
                name: "BucketInventory",
                actions: (.getBucketInventory, .getBucketInventory, .putBucketInventory, .deleteBucketInventory),
                document: .ossInventory, root: "InventoryConfiguration", parameter: "inventoryId", nameElement: "Id",
                missing: (.noSuchInventory, "InventoryId"), limit: 1000, schema: OSSSchema.inventory)
        case .style:
            Descriptor(
                name: "Style", actions: (.getStyle, .listStyle, .putStyle, .deleteStyle), document: .ossStyle, root: "Style",
                parameter: "styleName", nameElement: "Name", missing: (.noSuchStyle, "StyleName"), limit: 50,
                schema: [DocumentSchema.Member("Content", .text)])
        }
    }
}
