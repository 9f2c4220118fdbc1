extension AWSManagedPolicy {
    /// Policies for messages and watching. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let messaging: [AWSManagedPolicy] = [
        .init(
            "AmazonEventBridgeFullAccess", path: "/", version: 7, created: 1562854135, updated: 1770919105,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "EventBridgeActions", "Effect": "Allow", "Action": ["events:*", "schemas:*",
             "scheduler:*", "pipes:*"], "Resource": "*"}, {"Sid": "IAMCreateServiceLinkedRoleForApiDestinations", "Effect": "Allow",
             "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/apidestinations.events.amazonaws.com/AWSServiceRoleForAmazonEventBridgeApiDestinations",
             "Condition": {"StringEquals": {"iam:AWSServiceName": "apidestinations.events.amazonaws.com"}}}, {"Sid":
             "IAMCreateServiceLinkedRoleForAmazonEventBridgeSchemas", "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole",
             "Resource": "arn:aws:iam::*:role/aws-service-role/schemas.amazonaws.com/AWSServiceRoleForSchemas", "Condition":
             {"StringEquals": {"iam:AWSServiceName": "schemas.amazonaws.com"}}}, {"Sid": "SecretsManagerAccessForApiDestinations",
             "Effect": "Allow", "Action": ["secretsmanager:CreateSecret", "secretsmanager:UpdateSecret", "secretsmanager:DeleteSecret",
             "secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"], "Resource": "arn:aws:secretsmanager:*:*:secret:events!*"},
             {"Sid": "IAMPassRoleAccessForEventBridge", "Effect": "Allow", "Action": "iam:PassRole", "Resource": "arn:aws:iam::*:role/*",
             "Condition": {"StringLike": {"iam:PassedToService": "events.amazonaws.com"}}}, {"Sid": "IAMPassRoleAccessForScheduler",
             "Effect": "Allow", "Action": "iam:PassRole", "Resource": "arn:aws:iam::*:role/*", "Condition": {"StringLike":
             {"iam:PassedToService": "scheduler.amazonaws.com"}}}, {"Sid": "IAMPassRoleAccessForPipes", "Effect": "Allow", "Action":
             "iam:PassRole", "Resource": "arn:aws:iam::*:role/*", "Condition": {"StringLike": {"iam:PassedToService":
             "pipes.amazonaws.com"}}}]}
            """#),
        .init(
            "AmazonEventBridgeReadOnlyAccess", path: "/", version: 7, created: 1562853547, updated: 1790285828,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["events:DescribeRule", "events:DescribeEventBus",
             "events:DescribeEventSource", "events:ListEventBuses", "events:ListEventSources", "events:ListRuleNamesByTarget",
             "events:ListRules", "events:ListTargetsByRule", "events:TestEventPattern", "events:DescribeArchive", "events:ListArchives",
             "events:DescribeReplay", "events:ListReplays", "events:DescribeConnection", "events:ListConnections",
             "events:DescribeApiDestination", "events:ListApiDestinations", "events:DescribeEndpoint", "events:ListEndpoints",
             "events:DescribeSubscriber", "events:ListSubscribers", "events:GetResourcePolicy", "events:ListResourcePolicies",
             "events:ListTagsForResource", "schemas:DescribeCodeBinding", "schemas:DescribeDiscoverer", "schemas:DescribeRegistry",
             "schemas:DescribeSchema", "schemas:ExportSchema", "schemas:GetCodeBindingSource", "schemas:GetDiscoveredSchema",
             "schemas:GetResourcePolicy", "schemas:ListDiscoverers", "schemas:ListRegistries", "schemas:ListSchemas",
             "schemas:ListSchemaVersions", "schemas:ListTagsForResource", "schemas:SearchSchemas", "scheduler:GetSchedule",
             "scheduler:GetScheduleGroup", "scheduler:ListSchedules", "scheduler:ListScheduleGroups", "scheduler:ListTagsForResource",
             "pipes:DescribePipe", "pipes:ListPipes", "pipes:ListTagsForResource"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonMSKFullAccess", path: "/", version: 7, created: 1547503672, updated: 1697628793,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["kafka:*", "ec2:DescribeSubnets", "ec2:DescribeVpcs",
             "ec2:DescribeSecurityGroups", "ec2:DescribeRouteTables", "ec2:DescribeVpcEndpoints", "ec2:DescribeVpcAttribute",
             "kms:DescribeKey", "kms:CreateGrant", "logs:CreateLogDelivery", "logs:GetLogDelivery", "logs:UpdateLogDelivery",
             "logs:DeleteLogDelivery", "logs:ListLogDeliveries", "logs:PutResourcePolicy", "logs:DescribeResourcePolicies",
             "logs:DescribeLogGroups", "S3:GetBucketPolicy", "firehose:TagDeliveryStream"], "Resource": "*"}, {"Effect": "Allow",
             "Action": ["ec2:CreateVpcEndpoint"], "Resource": ["arn:*:ec2:*:*:vpc/*", "arn:*:ec2:*:*:subnet/*",
             "arn:*:ec2:*:*:security-group/*"]}, {"Effect": "Allow", "Action": ["ec2:CreateVpcEndpoint"], "Resource":
             ["arn:*:ec2:*:*:vpc-endpoint/*"], "Condition": {"StringEquals": {"aws:RequestTag/AWSMSKManaged": "true"}, "StringLike":
             {"aws:RequestTag/ClusterArn": "*"}}}, {"Effect": "Allow", "Action": ["ec2:CreateTags"], "Resource":
             "arn:*:ec2:*:*:vpc-endpoint/*", "Condition": {"StringEquals": {"ec2:CreateAction": "CreateVpcEndpoint"}}}, {"Effect":
             "Allow", "Action": ["ec2:DeleteVpcEndpoints"], "Resource": "arn:*:ec2:*:*:vpc-endpoint/*", "Condition": {"StringEquals":
             {"ec2:ResourceTag/AWSMSKManaged": "true"}, "StringLike": {"ec2:ResourceTag/ClusterArn": "*"}}}, {"Effect": "Allow", "Action":
             "iam:PassRole", "Resource": "*", "Condition": {"StringEquals": {"iam:PassedToService": "kafka.amazonaws.com"}}}, {"Effect":
             "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/kafka.amazonaws.com/AWSServiceRoleForKafka*", "Condition": {"StringEquals":
             {"iam:AWSServiceName": "kafka.amazonaws.com"}}}, {"Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/delivery.logs.amazonaws.com/AWSServiceRoleForLogDelivery*", "Condition":
             {"StringEquals": {"iam:AWSServiceName": "delivery.logs.amazonaws.com"}}}]}
            """#),
        .init(
            "AmazonSESFullAccess", path: "/", version: 1, created: 1423248062, updated: 1423248062,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ses:*"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonSESReadOnlyAccess", path: "/", version: 2, created: 1423248063, updated: 1715688182,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "SESReadOnlyAccess", "Effect": "Allow", "Action": ["ses:Get*", "ses:List*",
             "ses:BatchGetMetricData"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonSNSFullAccess", path: "/", version: 2, created: 1423248065, updated: 1727217125,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "SNSFullAccess", "Effect": "Allow", "Action": "sns:*", "Resource": "*"},
             {"Sid": "SMSAccessViaSNS", "Effect": "Allow", "Action": ["sms-voice:DescribeVerifiedDestinationNumbers",
             "sms-voice:CreateVerifiedDestinationNumber", "sms-voice:SendDestinationNumberVerificationCode", "sms-voice:SendTextMessage",
             "sms-voice:DeleteVerifiedDestinationNumber", "sms-voice:VerifyDestinationNumber", "sms-voice:DescribeAccountAttributes",
             "sms-voice:DescribeSpendLimits", "sms-voice:DescribePhoneNumbers", "sms-voice:SetTextMessageSpendLimitOverride",
             "sms-voice:DescribeOptedOutNumbers", "sms-voice:DeleteOptedOutNumber"], "Resource": "*", "Condition": {"StringEquals":
             {"aws:CalledViaLast": "sns.amazonaws.com"}}}]}
            """#),
        .init(
            "AmazonSNSReadOnlyAccess", path: "/", version: 2, created: 1423248066, updated: 1727215992,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "SNSReadOnlyAccess", "Effect": "Allow", "Action": ["sns:GetTopicAttributes",
             "sns:List*", "sns:CheckIfPhoneNumberIsOptedOut", "sns:GetEndpointAttributes", "sns:GetDataProtectionPolicy",
             "sns:GetPlatformApplicationAttributes", "sns:GetSMSAttributes", "sns:GetSMSSandboxAccountStatus",
             "sns:GetSubscriptionAttributes"], "Resource": "*"}, {"Sid": "SMSAccessViaSNS", "Effect": "Allow", "Action":
             ["sms-voice:DescribeVerifiedDestinationNumbers", "sms-voice:DescribeAccountAttributes", "sms-voice:DescribeSpendLimits",
             "sms-voice:DescribePhoneNumbers", "sms-voice:DescribeOptedOutNumbers"], "Resource": "*", "Condition": {"StringEquals":
             {"aws:CalledViaLast": "sns.amazonaws.com"}}}]}
            """#),
        .init(
            "AmazonSNSRole", path: "/service-role/", version: 1, created: 1423248090, updated: 1423248090,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["logs:CreateLogGroup", "logs:CreateLogStream",
             "logs:PutLogEvents", "logs:PutMetricFilter", "logs:PutRetentionPolicy"], "Resource": ["*"]}]}
            """#),
        .init(
            "AmazonSQSFullAccess", path: "/", version: 1, created: 1423248067, updated: 1423248067,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sqs:*"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonSQSReadOnlyAccess", path: "/", version: 4, created: 1423248068, updated: 1716574604,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AmazonSQSReadOnlyAccess", "Effect": "Allow", "Action":
             ["sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:ListDeadLetterSourceQueues", "sqs:ListQueues", "sqs:ListMessageMoveTasks",
             "sqs:ListQueueTags"], "Resource": "*"}]}
            """#),
        .init(
            "CloudWatchActionsEC2Access", path: "/", version: 1, created: 1436227233, updated: 1436227233,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cloudwatch:Describe*", "ec2:Describe*",
             "ec2:RebootInstances", "ec2:StopInstances", "ec2:TerminateInstances"], "Resource": "*"}]}
            """#),
        .init(
            "CloudWatchAgentAdminPolicy", path: "/", version: 2, created: 1520383951, updated: 1707166797,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CWACloudWatchPermissions", "Effect": "Allow", "Action":
             ["cloudwatch:PutMetricData", "ec2:DescribeTags", "logs:PutLogEvents", "logs:PutRetentionPolicy", "logs:DescribeLogStreams",
             "logs:DescribeLogGroups", "logs:CreateLogStream", "logs:CreateLogGroup", "xray:PutTraceSegments", "xray:PutTelemetryRecords",
             "xray:GetSamplingRules", "xray:GetSamplingTargets", "xray:GetSamplingStatisticSummaries"], "Resource": "*"}, {"Sid":
             "CWASSMPermissions", "Effect": "Allow", "Action": ["ssm:GetParameter", "ssm:PutParameter"], "Resource":
             "arn:aws:ssm:*:*:parameter/AmazonCloudWatch-*"}]}
            """#),
        .init(
            "CloudWatchAgentServerPolicy", path: "/", version: 3, created: 1520384804, updated: 1707237457,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CWACloudWatchServerPermissions", "Effect": "Allow", "Action":
             ["cloudwatch:PutMetricData", "ec2:DescribeVolumes", "ec2:DescribeTags", "logs:PutLogEvents", "logs:PutRetentionPolicy",
             "logs:DescribeLogStreams", "logs:DescribeLogGroups", "logs:CreateLogStream", "logs:CreateLogGroup", "xray:PutTraceSegments",
             "xray:PutTelemetryRecords", "xray:GetSamplingRules", "xray:GetSamplingTargets", "xray:GetSamplingStatisticSummaries"],
             "Resource": "*"}, {"Sid": "CWASSMServerPermissions", "Effect": "Allow", "Action": ["ssm:GetParameter"], "Resource":
             "arn:aws:ssm:*:*:parameter/AmazonCloudWatch-*"}]}
            """#),
        .init(
            "CloudWatchEventsFullAccess", path: "/", version: 5, created: 1452796628, updated: 1770919232,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "EventBridgeActions", "Effect": "Allow", "Action": ["events:*", "schemas:*",
             "scheduler:*", "pipes:*"], "Resource": "*"}, {"Sid": "IAMCreateServiceLinkedRoleForApiDestinations", "Effect": "Allow",
             "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/apidestinations.events.amazonaws.com/AWSServiceRoleForAmazonEventBridgeApiDestinations",
             "Condition": {"StringEquals": {"iam:AWSServiceName": "apidestinations.events.amazonaws.com"}}}, {"Sid":
             "IAMCreateServiceLinkedRoleForAmazonEventBridgeSchemas", "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole",
             "Resource": "arn:aws:iam::*:role/aws-service-role/schemas.amazonaws.com/AWSServiceRoleForSchemas", "Condition":
             {"StringEquals": {"iam:AWSServiceName": "schemas.amazonaws.com"}}}, {"Sid": "SecretsManagerAccessForApiDestinations",
             "Effect": "Allow", "Action": ["secretsmanager:CreateSecret", "secretsmanager:UpdateSecret", "secretsmanager:DeleteSecret",
             "secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"], "Resource": "arn:aws:secretsmanager:*:*:secret:events!*"},
             {"Sid": "IAMPassRoleForCloudWatchEvents", "Effect": "Allow", "Action": "iam:PassRole", "Resource":
             "arn:aws:iam::*:role/AWS_Events_Invoke_Targets"}, {"Sid": "IAMPassRoleAccessForScheduler", "Effect": "Allow", "Action":
             "iam:PassRole", "Resource": "arn:aws:iam::*:role/*", "Condition": {"StringEquals": {"iam:PassedToService":
             "scheduler.amazonaws.com"}}}, {"Sid": "IAMPassRoleAccessForPipes", "Effect": "Allow", "Action": "iam:PassRole", "Resource":
             "arn:aws:iam::*:role/*", "Condition": {"StringEquals": {"iam:PassedToService": "pipes.amazonaws.com"}}}]}
            """#),
        .init(
            "CloudWatchEventsReadOnlyAccess", path: "/", version: 3, created: 1452796038, updated: 1669912171,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["events:DescribeRule", "events:DescribeEventBus",
             "events:DescribeEventSource", "events:ListEventBuses", "events:ListEventSources", "events:ListRuleNamesByTarget",
             "events:ListRules", "events:ListTargetsByRule", "events:TestEventPattern", "events:DescribeArchive", "events:ListArchives",
             "events:DescribeReplay", "events:ListReplays", "events:DescribeConnection", "events:ListConnections",
             "events:DescribeApiDestination", "events:ListApiDestinations", "events:DescribeEndpoint", "events:ListEndpoints",
             "schemas:DescribeCodeBinding", "schemas:DescribeDiscoverer", "schemas:DescribeRegistry", "schemas:DescribeSchema",
             "schemas:ExportSchema", "schemas:GetCodeBindingSource", "schemas:GetDiscoveredSchema", "schemas:GetResourcePolicy",
             "schemas:ListDiscoverers", "schemas:ListRegistries", "schemas:ListSchemas", "schemas:ListSchemaVersions",
             "schemas:ListTagsForResource", "schemas:SearchSchemas", "scheduler:GetSchedule", "scheduler:GetScheduleGroup",
             "scheduler:ListSchedules", "scheduler:ListScheduleGroups", "scheduler:ListTagsForResource", "pipes:DescribePipe",
             "pipes:ListPipes", "pipes:ListTagsForResource"], "Resource": "*"}]}
            """#),
        .init(
            "CloudWatchFullAccess", path: "/", version: 4, created: 1423248000, updated: 1669555429,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["autoscaling:Describe*", "cloudwatch:*", "logs:*",
             "sns:*", "iam:GetPolicy", "iam:GetPolicyVersion", "iam:GetRole", "oam:ListSinks"], "Resource": "*"}, {"Effect": "Allow",
             "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/events.amazonaws.com/AWSServiceRoleForCloudWatchEvents*", "Condition": {"StringLike":
             {"iam:AWSServiceName": "events.amazonaws.com"}}}, {"Effect": "Allow", "Action": ["oam:ListAttachedLinks"], "Resource":
             "arn:aws:oam:*:*:sink/*"}]}
            """#),
        .init(
            "CloudWatchFullAccessV2", path: "/", version: 17, created: 1690889577, updated: 1790096228,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CloudWatchFullAccessPermissions", "Effect": "Allow", "Action":
             ["application-autoscaling:DescribeScalingPolicies", "application-signals:*", "autoscaling:DescribeAutoScalingGroups",
             "autoscaling:DescribePolicies", "cloudwatch:*", "logs:*", "sns:CreateTopic", "sns:ListSubscriptions",
             "sns:ListSubscriptionsByTopic", "sns:ListTopics", "sns:Subscribe", "iam:GetPolicy", "iam:GetPolicyVersion", "iam:GetRole",
             "oam:ListSinks", "observabilityadmin:GetCentralizationRuleForOrganization",
             "observabilityadmin:ListCentralizationRulesForOrganization", "observabilityadmin:CreateCentralizationRuleForOrganization",
             "observabilityadmin:UpdateCentralizationRuleForOrganization", "observabilityadmin:DeleteCentralizationRuleForOrganization",
             "observabilityadmin:StartTelemetryEvaluation", "observabilityadmin:GetTelemetryEvaluationStatus",
             "observabilityadmin:ListResourceTelemetry", "observabilityadmin:StopTelemetryEvaluation",
             "observabilityadmin:StartTelemetryEvaluationForOrganization",
             "observabilityadmin:GetTelemetryEvaluationStatusForOrganization", "observabilityadmin:ListResourceTelemetryForOrganization",
             "observabilityadmin:StopTelemetryEvaluationForOrganization", "observabilityadmin:CreateTelemetryRule",
             "observabilityadmin:GetTelemetryRule", "observabilityadmin:ListTelemetryRules", "observabilityadmin:UpdateTelemetryRule",
             "observabilityadmin:DeleteTelemetryRule", "observabilityadmin:CreateTelemetryRuleForOrganization",
             "observabilityadmin:GetTelemetryRuleForOrganization", "observabilityadmin:ListTelemetryRulesForOrganization",
             "observabilityadmin:UpdateTelemetryRuleForOrganization", "observabilityadmin:DeleteTelemetryRuleForOrganization",
             "observabilityadmin:GetTelemetryEnrichmentStatus", "observabilityadmin:StartTelemetryEnrichment",
             "observabilityadmin:StopTelemetryEnrichment", "observabilityadmin:TagResource", "observabilityadmin:UntagResource",
             "observabilityadmin:ListTagsForResource", "observabilityadmin:CreateTelemetryPipeline",
             "observabilityadmin:GetTelemetryPipeline", "observabilityadmin:UpdateTelemetryPipeline",
             "observabilityadmin:DeleteTelemetryPipeline", "observabilityadmin:ListTelemetryPipelines",
             "observabilityadmin:TestTelemetryPipeline", "observabilityadmin:ValidateTelemetryPipelineConfiguration",
             "observabilityadmin:CreateS3TableIntegration", "observabilityadmin:GetS3TableIntegration",
             "observabilityadmin:ListS3TableIntegrations", "observabilityadmin:DeleteS3TableIntegration",
             "observabilityadmin:CreateDatasetIntegration", "observabilityadmin:GetDatasetIntegration",
             "observabilityadmin:ListDatasetIntegrations", "observabilityadmin:UpdateDatasetIntegration",
             "observabilityadmin:DeleteDatasetIntegration", "rum:*", "synthetics:*", "xray:*"], "Resource": "*"}, {"Sid":
             "CloudWatchApplicationSignalsServiceLinkedRolePermissions", "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole",
             "Resource":
             "arn:aws:iam::*:role/aws-service-role/application-signals.cloudwatch.amazonaws.com/AWSServiceRoleForCloudWatchApplicationSignals",
             "Condition": {"StringLike": {"iam:AWSServiceName": "application-signals.cloudwatch.amazonaws.com"}}}, {"Sid":
             "EventsServicePermissions", "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/events.amazonaws.com/AWSServiceRoleForCloudWatchEvents*", "Condition": {"StringLike":
             {"iam:AWSServiceName": "events.amazonaws.com"}}}, {"Sid": "OAMReadPermissions", "Effect": "Allow", "Action":
             ["oam:ListAttachedLinks"], "Resource": "arn:aws:oam:*:*:sink/*"}, {"Sid": "CloudWatchCloudTrailPermissions", "Effect":
             "Allow", "Action": ["cloudtrail:CreateServiceLinkedChannel", "cloudtrail:GetChannel"], "Resource":
             "arn:aws:cloudtrail:*:*:channel/aws-service-channel/application-signals/*"}, {"Sid":
             "CloudWatchApplicationSignalsCloudTrailListPermissions", "Effect": "Allow", "Action": ["cloudtrail:ListChannels"],
             "Resource": "*"}, {"Sid": "CloudWatchServiceQuotaPermissions", "Effect": "Allow", "Action":
             ["servicequotas:GetServiceQuota"], "Resource": ["arn:aws:servicequotas:*:*:s3/*", "arn:aws:servicequotas:*:*:dynamodb/*",
             "arn:aws:servicequotas:*:*:kinesis/*", "arn:aws:servicequotas:*:*:sns/*", "arn:aws:servicequotas:*:*:bedrock/*",
             "arn:aws:servicequotas:*:*:lambda/*", "arn:aws:servicequotas:*:*:fargate/*",
             "arn:aws:servicequotas:*:*:elasticloadbalancing/*", "arn:aws:servicequotas:*:*:ec2/*"]}, {"Sid":
             "CloudWatchResourceExplorerPermissions", "Effect": "Allow", "Action": ["resource-explorer-2:ListIndexes",
             "resource-explorer-2:Search"], "Resource":
             ["arn:aws:resource-explorer-2:*::view/AWSServiceViewForApplicationSignals/service-view",
             "arn:aws:resource-explorer-2:*::view/AWSServiceViewForApplicationSignalsOrgScopeProd/service-view"]}, {"Sid":
             "CloudWatchResourceExplorerSLRPermissions", "Effect": "Allow", "Action": ["iam:CreateServiceLinkedRole"], "Resource":
             "arn:aws:iam::*:role/aws-service-role/resource-explorer-2.amazonaws.com/AWSServiceRoleForResourceExplorer", "Condition":
             {"StringEquals": {"iam:AWSServiceName": ["resource-explorer-2.amazonaws.com"]}}}, {"Sid":
             "CloudWatchResourceExplorerCreateIndexPermissions", "Effect": "Allow", "Action": ["resource-explorer-2:CreateIndex"],
             "Resource": "arn:aws:resource-explorer-2:*:*:index/*"}, {"Effect": "Allow", "Action": "iam:PassRole", "Resource": "*",
             "Condition": {"ArnLike": {"iam:AssociatedResourceArn": "arn:aws:observabilityadmin:*:*:s3tableintegration/*"},
             "StringEquals": {"iam:PassedToService": "logs.amazonaws.com"}}}, {"Effect": "Allow", "Action": "iam:PassRole", "Resource":
             "*", "Condition": {"ArnLike": {"iam:AssociatedResourceArn": "arn:aws:observabilityadmin:*:*:telemetry-pipeline/*"},
             "StringEquals": {"iam:PassedToService": ["logs.amazonaws.com", "telemetry-pipelines.observabilityadmin.amazonaws.com"]}}},
             {"Effect": "Allow", "Action": ["s3tables:CreateTableBucket", "s3tables:PutTableBucketEncryption"], "Resource":
             "arn:aws:s3tables:*:*:bucket/aws-cloudwatch", "Condition": {"ForAnyValue:StringEquals": {"aws:CalledVia":
             "observabilityadmin.amazonaws.com"}}}, {"Effect": "Allow", "Action": ["s3tables:PutTableBucketPolicy"], "Resource":
             "arn:aws:s3tables:*:*:bucket/aws-cloudwatch"}, {"Sid": "LogAlarmScheduledQueryPassRolePermissions", "Effect": "Allow",
             "Action": "iam:PassRole", "Resource": "*", "Condition": {"ArnLike": {"iam:AssociatedResourceArn":
             "arn:aws:logs:*:*:scheduled-query:*"}, "StringEquals": {"iam:PassedToService": "logs.amazonaws.com"}}}, {"Sid":
             "LogAlarmLogLinesPassRolePermissions", "Effect": "Allow", "Action": "iam:PassRole", "Resource": "*", "Condition": {"ArnLike":
             {"iam:AssociatedResourceArn": "arn:aws:cloudwatch:*:*:alarm:*"}, "StringEquals": {"iam:PassedToService":
             "cloudwatch.amazonaws.com"}}}]}
            """#),
        .init(
            "CloudWatchLogsFullAccess", path: "/", version: 8, created: 1423248002, updated: 1770919233,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CloudWatchLogsFullAccess", "Effect": "Allow", "Action": ["logs:*",
             "cloudwatch:GenerateQuery", "cloudwatch:GenerateQueryResultsSummary", "observabilityadmin:GetS3TableIntegration",
             "observabilityadmin:ListS3TableIntegrations", "observabilityadmin:ListTelemetryPipelines"], "Resource": "*"}]}
            """#),
        .init(
            "CloudWatchLogsReadOnlyAccess", path: "/", version: 12, created: 1423248003, updated: 1770919153,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CloudWatchLogsReadOnlyAccess", "Effect": "Allow", "Action":
             ["logs:Describe*", "logs:Get*", "logs:List*", "logs:StartQuery", "logs:StopQuery", "logs:TestMetricFilter",
             "logs:FilterLogEvents", "logs:StartLiveTail", "logs:StopLiveTail", "cloudwatch:GenerateQuery",
             "cloudwatch:GenerateQueryResultsSummary", "observabilityadmin:ListS3TableIntegrations",
             "observabilityadmin:GetS3TableIntegration", "observabilityadmin:ListTelemetryPipelines"], "Resource": "*"}]}
            """#),
        .init(
            "CloudWatchReadOnlyAccess", path: "/", version: 25, created: 1423248001, updated: 1790096227,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CloudWatchReadOnlyAccessPermissions", "Effect": "Allow", "Action":
             ["application-autoscaling:DescribeScalingPolicies", "application-signals:BatchGet*", "application-signals:Get*",
             "application-signals:List*", "autoscaling:Describe*", "cloudtrail:ListChannels", "cloudwatch:BatchGet*",
             "cloudwatch:Describe*", "cloudwatch:GenerateQuery", "cloudwatch:Get*", "cloudwatch:List*",
             "cloudwatch:CreateOneTimeDeepLinkCode", "logs:Get*", "logs:List*", "logs:StartQuery", "logs:StopQuery", "logs:Describe*",
             "logs:TestMetricFilter", "logs:FilterLogEvents", "logs:StartLiveTail", "logs:StopLiveTail", "oam:ListSinks",
             "observabilityadmin:GetCentralizationRuleForOrganization", "observabilityadmin:ListCentralizationRulesForOrganization",
             "observabilityadmin:GetTelemetryEvaluationStatus", "observabilityadmin:GetTelemetryEvaluationStatusForOrganization",
             "observabilityadmin:GetTelemetryRule", "observabilityadmin:GetTelemetryRuleForOrganization",
             "observabilityadmin:ListResourceTelemetry", "observabilityadmin:ListResourceTelemetryForOrganization",
             "observabilityadmin:ListTelemetryRules", "observabilityadmin:ListTelemetryRulesForOrganization",
             "observabilityadmin:GetTelemetryEnrichmentStatus", "observabilityadmin:ListTagsForResource",
             "observabilityadmin:GetTelemetryPipeline", "observabilityadmin:ListTelemetryPipelines",
             "observabilityadmin:TestTelemetryPipeline", "observabilityadmin:ValidateTelemetryPipelineConfiguration",
             "observabilityadmin:GetS3TableIntegration", "observabilityadmin:ListS3TableIntegrations",
             "observabilityadmin:GetDatasetIntegration", "observabilityadmin:ListDatasetIntegrations", "sns:Get*", "sns:List*",
             "rum:BatchGet*", "rum:Get*", "rum:List*", "synthetics:Describe*", "synthetics:Get*", "synthetics:List*", "xray:BatchGet*",
             "xray:Get*", "xray:List*", "xray:StartTraceRetrieval", "xray:CancelTraceRetrieval"], "Resource": "*"}, {"Sid":
             "OAMReadPermissions", "Effect": "Allow", "Action": ["oam:ListAttachedLinks"], "Resource": "arn:aws:oam:*:*:sink/*"}, {"Sid":
             "CloudWatchReadOnlyGetRolePermissions", "Effect": "Allow", "Action": "iam:GetRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/application-signals.cloudwatch.amazonaws.com/AWSServiceRoleForCloudWatchApplicationSignals"},
             {"Sid": "CloudWatchCloudTrailPermissions", "Effect": "Allow", "Action": ["cloudtrail:GetChannel"], "Resource":
             "arn:aws:cloudtrail:*:*:channel/aws-service-channel/application-signals/*"}, {"Sid": "CloudWatchServiceQuotaPermissions",
             "Effect": "Allow", "Action": ["servicequotas:GetServiceQuota"], "Resource": ["arn:aws:servicequotas:*:*:s3/*",
             "arn:aws:servicequotas:*:*:dynamodb/*", "arn:aws:servicequotas:*:*:kinesis/*", "arn:aws:servicequotas:*:*:sns/*",
             "arn:aws:servicequotas:*:*:bedrock/*", "arn:aws:servicequotas:*:*:lambda/*", "arn:aws:servicequotas:*:*:fargate/*",
             "arn:aws:servicequotas:*:*:elasticloadbalancing/*", "arn:aws:servicequotas:*:*:ec2/*"]}, {"Sid":
             "CloudWatchResourceExplorerPermissions", "Effect": "Allow", "Action": ["resource-explorer-2:ListIndexes",
             "resource-explorer-2:Search"], "Resource":
             ["arn:aws:resource-explorer-2:*::view/AWSServiceViewForApplicationSignals/service-view",
             "arn:aws:resource-explorer-2:*::view/AWSServiceViewForApplicationSignalsOrgScopeProd/service-view"]}]}
            """#),
    ]
}
