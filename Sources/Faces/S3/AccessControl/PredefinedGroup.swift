/// A group of grantees that is identified by a URI. (S3 User Guide, "Amazon S3 predefined groups".)
enum PredefinedGroup: String, CaseIterable {
    case allUsers = "http://acs.amazonaws.com/groups/global/AllUsers"
    case authenticatedUsers = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers"
    case logDelivery = "http://acs.amazonaws.com/groups/s3/LogDelivery"
}
