/// The services that metrics distinguish. There are few, so that the number of time series is bounded.
enum MeteredService: Int, CaseIterable {
    case s3, sts, iam, organizations, account, cognito, oss, alibaba, identity, mobile, vending, application, credentials
    case forwarded, console, control, unavailable

    /// The value of the label.
    var label: String { String(describing: self) }
}
