/// The session policies of guests: what their role allows beyond them has no effect.
/// (Amazon Cognito Developer Guide, "Role trust and permissions" and "IAM roles", "Services that unauthenticated identities can access".
/// The document itself is not published; its lists of services and actions are.)
package enum GuestPolicy {
    /// The policies.
    package static let policies = SessionPolicies(documents: [document], arns: [managed], size: nil)

    /// The managed policy.
    package static let managed = "arn:aws:iam::aws:policy/AmazonCognitoUnAuthedIdentitiesSessionPolicy"

    private static let services = [
        "firehose", "kinesisanalytics", "sqs", "mobileanalytics", "ses", "lambda", "dynamodb", "sdb", "appsync", "geo", "sns", "gamelift",
        "iot", "codewhisperer", "comprehend", "lex", "machinelearning", "personalize", "polly", "rekognition", "transcribe", "translate",
        "cloudwatch", "logs", "execute-api", "cognito-identity", "cognito-idp", "cognito-sync", "s3",
    ]

    private static let actions = [
        "kms:Encrypt", "kms:Decrypt", "kms:ReEncryptTo", "kms:ReEncryptFrom", "kms:GenerateDataKey", "sagemaker:InvokeEndpoint",
        "textract:DetectDocumentText", "textract:AnalyzeDocument", "sumerian:View*",
    ]

    /// The inline policy, without white space.
    static let document: String = {
        let allowed = (services.map { "\($0):*" } + actions).map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":[\#(allowed)],"Resource":"*"}]}"#
    }()
}
