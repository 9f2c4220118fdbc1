extension AWSManagedPolicy {
    /// Policies for applications and their tools. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let applications: [AWSManagedPolicy] = [
        .init(
            "AmazonAPIGatewayAdministrator", path: "/", version: 1, created: 1436463285, updated: 1436463285,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["apigateway:*"], "Resource":
             "arn:aws:apigateway:*::/*"}]}
            """#),
        .init(
            "AmazonAPIGatewayInvokeFullAccess", path: "/", version: 2, created: 1436463372, updated: 1545157510,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["execute-api:Invoke", "execute-api:ManageConnections"],
             "Resource": "arn:aws:execute-api:*:*:*"}]}
            """#),
        .init(
            "AmazonAPIGatewayPushToCloudWatchLogs", path: "/service-role/", version: 1, created: 1447285306, updated: 1447285306,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["logs:CreateLogGroup", "logs:CreateLogStream",
             "logs:DescribeLogGroups", "logs:DescribeLogStreams", "logs:PutLogEvents", "logs:GetLogEvents", "logs:FilterLogEvents"],
             "Resource": "*"}]}
            """#),
        .init(
            "AmazonBedrockFullAccess", path: "/", version: 11, created: 1701877637, updated: 1785822141,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "BedrockAll", "Effect": "Allow", "Action": ["bedrock:*"], "Resource": "*"},
             {"Sid": "BedrockMantleAll", "Effect": "Allow", "Action": ["bedrock-mantle:*"], "Resource": "*"}, {"Sid": "BedrockWebSearch",
             "Effect": "Allow", "Action": ["bedrock-websearch:InvokeSearch", "bedrock-websearch:InvokeFetch"], "Resource":
             "arn:aws:bedrock-websearch:*:*:*"}, {"Sid": "DescribeKey", "Effect": "Allow", "Action": ["kms:DescribeKey"], "Resource":
             "arn:*:kms:*:::*"}, {"Sid": "APIsWithAllResourceAccess", "Effect": "Allow", "Action": ["iam:ListRoles", "ec2:DescribeVpcs",
             "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups"], "Resource": "*"}, {"Sid": "MarketplaceModelEndpointMutatingAPIs",
             "Effect": "Allow", "Action": ["sagemaker:CreateEndpoint", "sagemaker:CreateEndpointConfig", "sagemaker:CreateModel",
             "sagemaker:DeleteEndpoint", "sagemaker:UpdateEndpoint"], "Resource": ["arn:aws:sagemaker:*:*:endpoint/*",
             "arn:aws:sagemaker:*:*:endpoint-config/*", "arn:aws:sagemaker:*:*:model/*"], "Condition": {"StringEquals":
             {"aws:CalledViaLast": "bedrock.amazonaws.com", "aws:ResourceTag/sagemaker-sdk:bedrock": "compatible"}}}, {"Sid":
             "MarketplaceModelEndpointAddTagsOperations", "Effect": "Allow", "Action": ["sagemaker:AddTags"], "Resource":
             ["arn:aws:sagemaker:*:*:endpoint/*", "arn:aws:sagemaker:*:*:endpoint-config/*", "arn:aws:sagemaker:*:*:model/*"],
             "Condition": {"ForAllValues:StringEquals": {"aws:TagKeys": ["sagemaker-sdk:bedrock",
             "bedrock:marketplace-registration-status", "sagemaker-studio:hub-content-arn"]}, "StringLike":
             {"aws:RequestTag/bedrock:marketplace-registration-status": "registered", "aws:RequestTag/sagemaker-sdk:bedrock":
             "compatible", "aws:RequestTag/sagemaker-studio:hub-content-arn":
             "arn:aws:sagemaker:*:aws:hub-content/SageMakerPublicHub/Model/*"}}}, {"Sid": "MarketplaceModelEndpointDeleteTagsOperations",
             "Effect": "Allow", "Action": ["sagemaker:DeleteTags"], "Resource": ["arn:aws:sagemaker:*:*:endpoint/*",
             "arn:aws:sagemaker:*:*:endpoint-config/*", "arn:aws:sagemaker:*:*:model/*"], "Condition": {"ForAllValues:StringEquals":
             {"aws:TagKeys": ["sagemaker-sdk:bedrock", "bedrock:marketplace-registration-status", "sagemaker-studio:hub-content-arn"]},
             "StringLike": {"aws:ResourceTag/bedrock:marketplace-registration-status": "registered",
             "aws:ResourceTag/sagemaker-sdk:bedrock": "compatible", "aws:ResourceTag/sagemaker-studio:hub-content-arn":
             "arn:aws:sagemaker:*:aws:hub-content/SageMakerPublicHub/Model/*"}}}, {"Sid": "MarketplaceModelEndpointNonMutatingAPIs",
             "Effect": "Allow", "Action": ["sagemaker:DescribeEndpoint", "sagemaker:DescribeEndpointConfig", "sagemaker:DescribeModel",
             "sagemaker:DescribeInferenceComponent", "sagemaker:ListEndpoints", "sagemaker:ListTags"], "Resource":
             ["arn:aws:sagemaker:*:*:endpoint/*", "arn:aws:sagemaker:*:*:endpoint-config/*", "arn:aws:sagemaker:*:*:model/*"],
             "Condition": {"StringEquals": {"aws:CalledViaLast": "bedrock.amazonaws.com"}}}, {"Sid":
             "MarketplaceModelEndpointInvokingOperations", "Effect": "Allow", "Action": ["sagemaker:InvokeEndpoint",
             "sagemaker:InvokeEndpointWithResponseStream"], "Resource": ["arn:aws:sagemaker:*:*:endpoint/*"], "Condition":
             {"StringEquals": {"aws:CalledViaLast": "bedrock.amazonaws.com", "aws:ResourceTag/sagemaker-sdk:bedrock": "compatible"}}},
             {"Sid": "DiscoveringMarketplaceModel", "Effect": "Allow", "Action": ["sagemaker:DescribeHubContent"], "Resource":
             ["arn:aws:sagemaker:*:aws:hub-content/SageMakerPublicHub/Model/*", "arn:aws:sagemaker:*:aws:hub/SageMakerPublicHub"]},
             {"Sid": "AllowMarketplaceModelsListing", "Effect": "Allow", "Action": ["sagemaker:ListHubContents"], "Resource":
             "arn:aws:sagemaker:*:aws:hub/SageMakerPublicHub"}, {"Sid": "PassRoleToSageMaker", "Effect": "Allow", "Action":
             ["iam:PassRole"], "Resource": ["arn:aws:iam::*:role/*SageMaker*ForBedrock*"], "Condition": {"StringEquals":
             {"iam:PassedToService": ["sagemaker.amazonaws.com", "bedrock.amazonaws.com"]}}}, {"Sid": "PassRoleToBedrock", "Effect":
             "Allow", "Action": ["iam:PassRole"], "Resource": "arn:aws:iam::*:role/*AmazonBedrock*", "Condition": {"StringEquals":
             {"iam:PassedToService": ["bedrock.amazonaws.com"]}}}, {"Sid": "MarketplaceOperationsFromBedrockFor3pModels", "Effect":
             "Allow", "Action": ["aws-marketplace:Subscribe", "aws-marketplace:ViewSubscriptions", "aws-marketplace:Unsubscribe"],
             "Resource": "*", "Condition": {"StringEquals": {"aws:CalledViaLast": "bedrock.amazonaws.com"}}}]}
            """#),
        .init(
            "AmazonBedrockReadOnly", path: "/", version: 7, created: 1701877699, updated: 1770919075,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AmazonBedrockReadOnly", "Effect": "Allow", "Action": ["bedrock:Get*",
             "bedrock:List*"], "Resource": "*"}, {"Sid": "MarketplaceModelEndpointNonMutatingAPIs", "Effect": "Allow", "Action":
             ["sagemaker:DescribeEndpoint", "sagemaker:DescribeEndpointConfig", "sagemaker:DescribeModel",
             "sagemaker:DescribeInferenceComponent", "sagemaker:ListEndpoints", "sagemaker:ListTags"], "Resource":
             ["arn:aws:sagemaker:*:*:endpoint/*", "arn:aws:sagemaker:*:*:endpoint-config/*", "arn:aws:sagemaker:*:*:model/*"],
             "Condition": {"StringEquals": {"aws:CalledViaLast": "bedrock.amazonaws.com"}}}, {"Sid": "DiscoveringMarketplaceModel",
             "Effect": "Allow", "Action": ["sagemaker:DescribeHubContent"], "Resource":
             ["arn:aws:sagemaker:*:aws:hub-content/SageMakerPublicHub/Model/*", "arn:aws:sagemaker:*:aws:hub/SageMakerPublicHub"]},
             {"Sid": "AllowMarketplaceModelsListing", "Effect": "Allow", "Action": ["sagemaker:ListHubContents"], "Resource":
             "arn:aws:sagemaker:*:aws:hub/SageMakerPublicHub"}]}
            """#),
        .init(
            "AmazonCognitoPowerUser", path: "/", version: 9, created: 1427217296, updated: 1770919209,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cognito-identity:*", "cognito-idp:*",
             "cognito-sync:*", "iam:ListRoles", "iam:ListOpenIdConnectProviders", "iam:GetRole", "iam:ListSAMLProviders",
             "iam:GetSAMLProvider", "kinesis:ListStreams", "lambda:GetPolicy", "lambda:ListFunctions", "sns:GetSMSSandboxAccountStatus",
             "sns:ListPlatformApplications", "ses:ListIdentities", "ses:GetIdentityVerificationAttributes", "mobiletargeting:GetApps",
             "acm:ListCertificates", "sms-voice:DescribeAccountAttributes"], "Resource": "*"}, {"Effect": "Allow", "Action":
             "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             ["cognito-idp.amazonaws.com", "email.cognito-idp.amazonaws.com"]}}}, {"Effect": "Allow", "Action":
             ["iam:DeleteServiceLinkedRole", "iam:GetServiceLinkedRoleDeletionStatus"], "Resource":
             ["arn:aws:iam::*:role/aws-service-role/cognito-idp.amazonaws.com/AWSServiceRoleForAmazonCognitoIdp*",
             "arn:aws:iam::*:role/aws-service-role/email.cognito-idp.amazonaws.com/AWSServiceRoleForAmazonCognitoIdpEmail*"]}]}
            """#),
        .init(
            "AmazonCognitoReadOnly", path: "/", version: 4, created: 1427216806, updated: 1564687264,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cognito-identity:Describe*", "cognito-identity:Get*",
             "cognito-identity:List*", "cognito-idp:Describe*", "cognito-idp:AdminGet*", "cognito-idp:AdminList*", "cognito-idp:List*",
             "cognito-idp:Get*", "cognito-sync:Describe*", "cognito-sync:Get*", "cognito-sync:List*", "iam:ListOpenIdConnectProviders",
             "iam:ListRoles", "sns:ListPlatformApplications"], "Resource": "*"}]}
            """#),
        .init(
            "AWSAppSyncPushToCloudWatchLogs", path: "/service-role/", version: 1, created: 1523302735, updated: 1523302735,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["logs:CreateLogGroup", "logs:CreateLogStream",
             "logs:PutLogEvents"], "Resource": "*"}]}
            """#),
        .init(
            "AWSCloudFormationFullAccess", path: "/", version: 1, created: 1564177835, updated: 1564177835,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cloudformation:*"], "Resource": "*"}]}
            """#),
        .init(
            "AWSCloudFormationReadOnlyAccess", path: "/", version: 7, created: 1423247989, updated: 1770919320,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cloudformation:Describe*",
             "cloudformation:BatchDescribe*", "cloudformation:EstimateTemplateCost", "cloudformation:Get*", "cloudformation:List*",
             "cloudformation:ValidateTemplate", "cloudformation:Detect*"], "Resource": "*"}]}
            """#),
        .init(
            "AWSCodeBuildAdminAccess", path: "/", version: 20, created: 1480619084, updated: 1770919311,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSServicesAccess", "Effect": "Allow", "Action": ["codebuild:*",
             "codecommit:GetBranch", "codecommit:GetCommit", "codecommit:GetRepository", "codecommit:ListBranches",
             "codecommit:ListRepositories", "cloudwatch:GetMetricStatistics", "ec2:DescribeVpcs", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ecr:DescribeRepositories", "ecr:ListImages", "elasticfilesystem:DescribeFileSystems",
             "events:DeleteRule", "events:DescribeRule", "events:DisableRule", "events:EnableRule", "events:ListTargetsByRule",
             "events:ListRuleNamesByTarget", "events:PutRule", "events:PutTargets", "events:RemoveTargets", "logs:GetLogEvents",
             "s3:GetBucketLocation", "s3:ListAllMyBuckets"], "Resource": "*"}, {"Sid": "CWLDeleteLogGroupAccess", "Effect": "Allow",
             "Action": ["logs:DeleteLogGroup"], "Resource": "arn:aws:logs:*:*:log-group:/aws/codebuild/*:log-stream:*"}, {"Sid":
             "SSMParameterWriteAccess", "Effect": "Allow", "Action": ["ssm:PutParameter"], "Resource":
             "arn:aws:ssm:*:*:parameter/CodeBuild/*"}, {"Sid": "SSMStartSessionAccess", "Effect": "Allow", "Action": ["ssm:StartSession"],
             "Resource": "arn:aws:ecs:*:*:task/*/*"}, {"Sid": "SSMOpenDataChannelAccess", "Effect": "Allow", "Action":
             ["ssmmessages:OpenDataChannel"], "Resource": "arn:aws:ssm:*:*:session/*"}, {"Sid": "CodeStarConnectionsReadWriteAccess",
             "Effect": "Allow", "Action": ["codestar-connections:CreateConnection", "codestar-connections:DeleteConnection",
             "codestar-connections:UpdateConnectionInstallation", "codestar-connections:TagResource",
             "codestar-connections:UntagResource", "codestar-connections:ListConnections", "codestar-connections:ListInstallationTargets",
             "codestar-connections:ListTagsForResource", "codestar-connections:GetConnection",
             "codestar-connections:GetIndividualAccessToken", "codestar-connections:GetInstallationUrl",
             "codestar-connections:PassConnection", "codestar-connections:StartOAuthHandshake", "codestar-connections:UseConnection"],
             "Resource": ["arn:aws:codestar-connections:*:*:connection/*", "arn:aws:codeconnections:*:*:connection/*"]}, {"Sid":
             "CodeStarNotificationsReadWriteAccess", "Effect": "Allow", "Action": ["codestar-notifications:CreateNotificationRule",
             "codestar-notifications:DescribeNotificationRule", "codestar-notifications:UpdateNotificationRule",
             "codestar-notifications:DeleteNotificationRule", "codestar-notifications:Subscribe", "codestar-notifications:Unsubscribe"],
             "Resource": "*", "Condition": {"ArnLike": {"codestar-notifications:NotificationsForResource":
             "arn:aws:codebuild:*:*:project/*"}}}, {"Sid": "CodeStarNotificationsListAccess", "Effect": "Allow", "Action":
             ["codestar-notifications:ListNotificationRules", "codestar-notifications:ListEventTypes",
             "codestar-notifications:ListTargets", "codestar-notifications:ListTagsforResource"], "Resource": "*"}, {"Sid":
             "CodeStarNotificationsSNSTopicCreateAccess", "Effect": "Allow", "Action": ["sns:CreateTopic", "sns:SetTopicAttributes"],
             "Resource": "arn:aws:sns:*:*:codestar-notifications*"}, {"Sid": "SNSTopicListAccess", "Effect": "Allow", "Action":
             ["sns:ListTopics", "sns:GetTopicAttributes"], "Resource": "*"}, {"Sid": "CodeStarNotificationsChatbotAccess", "Effect":
             "Allow", "Action": ["chatbot:DescribeSlackChannelConfigurations", "chatbot:ListMicrosoftTeamsChannelConfigurations"],
             "Resource": "*"}]}
            """#),
        .init(
            "AWSCodeBuildDeveloperAccess", path: "/", version: 21, created: 1480618952, updated: 1770919294,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSServicesAccess", "Effect": "Allow", "Action": ["codebuild:StartBuild",
             "codebuild:StopBuild", "codebuild:StartBuildBatch", "codebuild:StopBuildBatch", "codebuild:RetryBuild",
             "codebuild:RetryBuildBatch", "codebuild:BatchGet*", "codebuild:GetResourcePolicy", "codebuild:DescribeTestCases",
             "codebuild:DescribeCodeCoverages", "codebuild:List*", "codecommit:GetBranch", "codecommit:GetCommit",
             "codecommit:GetRepository", "codecommit:ListBranches", "cloudwatch:GetMetricStatistics", "events:DescribeRule",
             "events:ListTargetsByRule", "events:ListRuleNamesByTarget", "logs:GetLogEvents", "s3:GetBucketLocation",
             "s3:ListAllMyBuckets"], "Resource": "*"}, {"Sid": "SSMParameterWriteAccess", "Effect": "Allow", "Action":
             ["ssm:PutParameter"], "Resource": "arn:aws:ssm:*:*:parameter/CodeBuild/*"}, {"Sid": "SSMStartSessionAccess", "Effect":
             "Allow", "Action": ["ssm:StartSession"], "Resource": "arn:aws:ecs:*:*:task/*/*"}, {"Sid": "SSMOpenDataChannelAccess",
             "Effect": "Allow", "Action": ["ssmmessages:OpenDataChannel"], "Resource": "arn:aws:ssm:*:*:session/*"}, {"Sid":
             "CodeStarConnectionsUserAccess", "Effect": "Allow", "Action": ["codestar-connections:ListConnections",
             "codestar-connections:GetConnection"], "Resource": ["arn:aws:codestar-connections:*:*:connection/*",
             "arn:aws:codeconnections:*:*:connection/*"]}, {"Sid": "CodeStarNotificationsReadWriteAccess", "Effect": "Allow", "Action":
             ["codestar-notifications:CreateNotificationRule", "codestar-notifications:DescribeNotificationRule",
             "codestar-notifications:UpdateNotificationRule", "codestar-notifications:Subscribe", "codestar-notifications:Unsubscribe"],
             "Resource": "*", "Condition": {"ArnLike": {"codestar-notifications:NotificationsForResource":
             "arn:aws:codebuild:*:*:project/*"}}}, {"Sid": "CodeStarNotificationsListAccess", "Effect": "Allow", "Action":
             ["codestar-notifications:ListNotificationRules", "codestar-notifications:ListEventTypes",
             "codestar-notifications:ListTargets", "codestar-notifications:ListTagsforResource"], "Resource": "*"}, {"Sid":
             "SNSTopicListAccess", "Effect": "Allow", "Action": ["sns:ListTopics", "sns:GetTopicAttributes"], "Resource": "*"}, {"Sid":
             "CodeStarNotificationsChatbotAccess", "Effect": "Allow", "Action": ["chatbot:DescribeSlackChannelConfigurations",
             "chatbot:ListMicrosoftTeamsChannelConfigurations"], "Resource": "*"}]}
            """#),
        .init(
            "AWSCodeDeployRole", path: "/service-role/", version: 12, created: 1430762737, updated: 1789035428,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["autoscaling:CompleteLifecycleAction",
             "autoscaling:DeleteLifecycleHook", "autoscaling:DescribeAutoScalingGroups", "autoscaling:DescribeAutoScalingInstances",
             "autoscaling:DescribeLifecycleHooks", "autoscaling:PutLifecycleHook", "autoscaling:RecordLifecycleActionHeartbeat",
             "autoscaling:CreateAutoScalingGroup", "autoscaling:CreateOrUpdateTags", "autoscaling:UpdateAutoScalingGroup",
             "autoscaling:EnableMetricsCollection", "autoscaling:DescribePolicies", "autoscaling:DescribeScheduledActions",
             "autoscaling:DescribeNotificationConfigurations", "autoscaling:SuspendProcesses", "autoscaling:ResumeProcesses",
             "autoscaling:AttachLoadBalancers", "autoscaling:AttachLoadBalancerTargetGroups", "autoscaling:PutScalingPolicy",
             "autoscaling:PutScheduledUpdateGroupAction", "autoscaling:PutNotificationConfiguration", "autoscaling:PutWarmPool",
             "autoscaling:DescribeScalingActivities", "autoscaling:DeleteAutoScalingGroup", "ec2:DescribeInstances",
             "ec2:DescribeInstanceStatus", "ec2:TerminateInstances", "tag:GetResources", "sns:Publish", "cloudwatch:DescribeAlarms",
             "cloudwatch:PutMetricAlarm", "elasticloadbalancing:DescribeLoadBalancerAttributes",
             "elasticloadbalancing:DescribeTargetGroupAttributes", "elasticloadbalancing:DescribeLoadBalancers",
             "elasticloadbalancing:DescribeInstanceHealth", "elasticloadbalancing:RegisterInstancesWithLoadBalancer",
             "elasticloadbalancing:DeregisterInstancesFromLoadBalancer", "elasticloadbalancing:DescribeTargetGroups",
             "elasticloadbalancing:DescribeTargetHealth", "elasticloadbalancing:RegisterTargets",
             "elasticloadbalancing:DeregisterTargets"], "Resource": "*"}]}
            """#),
        .init(
            "AWSLambda_FullAccess", path: "/", version: 7, created: 1605647648, updated: 1770919251,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cloudformation:DescribeStacks",
             "cloudformation:ListStackResources", "cloudwatch:ListMetrics", "cloudwatch:GetMetricData", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeVpcs", "kms:DescribeKey", "kms:ListAliases", "iam:GetPolicy", "iam:GetPolicyVersion",
             "iam:GetRole", "iam:GetRolePolicy", "iam:ListAttachedRolePolicies", "iam:ListRolePolicies", "iam:ListRoles", "lambda:*",
             "logs:DescribeLogGroups", "states:DescribeStateMachine", "states:ListStateMachines", "tag:GetResources",
             "xray:GetTraceSummaries", "xray:BatchGetTraces"], "Resource": "*"}, {"Effect": "Allow", "Action": "iam:PassRole", "Resource":
             "*", "Condition": {"StringEquals": {"iam:PassedToService": "lambda.amazonaws.com"}}}, {"Effect": "Allow", "Action":
             ["logs:DescribeLogStreams", "logs:GetLogEvents", "logs:FilterLogEvents", "logs:StartLiveTail", "logs:StopLiveTail"],
             "Resource": "arn:aws:logs:*:*:log-group:/aws/lambda/*"}, {"Effect": "Allow", "Action": "iam:CreateServiceLinkedRole",
             "Resource": "arn:aws:iam::*:role/aws-service-role/lambda.amazonaws.com/AWSServiceRoleForLambda", "Condition":
             {"StringEquals": {"iam:AWSServiceName": "lambda.amazonaws.com"}}}]}
            """#),
        .init(
            "AWSLambda_ReadOnlyAccess", path: "/", version: 5, created: 1605647432, updated: 1770919375,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cloudformation:DescribeStacks",
             "cloudformation:ListStacks", "cloudformation:ListStackResources", "cloudwatch:GetMetricData", "cloudwatch:ListMetrics",
             "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeVpcs", "kms:ListAliases", "iam:GetPolicy",
             "iam:GetPolicyVersion", "iam:GetRole", "iam:GetRolePolicy", "iam:ListAttachedRolePolicies", "iam:ListRolePolicies",
             "iam:ListRoles", "logs:DescribeLogGroups", "lambda:Get*", "lambda:List*", "states:DescribeStateMachine",
             "states:ListStateMachines", "tag:GetResources", "xray:GetTraceSummaries", "xray:BatchGetTraces"], "Resource": "*"},
             {"Effect": "Allow", "Action": ["logs:DescribeLogStreams", "logs:GetLogEvents", "logs:FilterLogEvents", "logs:StartQuery",
             "logs:StopQuery", "logs:DescribeQueries", "logs:GetLogGroupFields", "logs:GetLogRecord", "logs:GetQueryResults",
             "logs:StartLiveTail", "logs:StopLiveTail"], "Resource": "arn:aws:logs:*:*:log-group:/aws/lambda/*"}]}
            """#),
        .init(
            "AWSLambdaBasicExecutionRole", path: "/service-role/", version: 1, created: 1428591823, updated: 1428591823,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["logs:CreateLogGroup", "logs:CreateLogStream",
             "logs:PutLogEvents"], "Resource": "*"}]}
            """#),
        .init(
            "AWSLambdaDynamoDBExecutionRole", path: "/service-role/", version: 1, created: 1428592169, updated: 1428592169,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["dynamodb:DescribeStream", "dynamodb:GetRecords",
             "dynamodb:GetShardIterator", "dynamodb:ListStreams", "logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"],
             "Resource": "*"}]}
            """#),
        .init(
            "AWSLambdaENIManagementAccess", path: "/service-role/", version: 2, created: 1480984647, updated: 1601582846,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:CreateNetworkInterface",
             "ec2:DescribeNetworkInterfaces", "ec2:DeleteNetworkInterface", "ec2:AssignPrivateIpAddresses",
             "ec2:UnassignPrivateIpAddresses"], "Resource": "*"}]}
            """#),
        .init(
            "AWSLambdaExecute", path: "/", version: 1, created: 1423248046, updated: 1423248046,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["logs:*"], "Resource": "arn:aws:logs:*:*:*"},
             {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject"], "Resource": "arn:aws:s3:::*"}]}
            """#),
        .init(
            "AWSLambdaInvocation-DynamoDB", path: "/", version: 1, created: 1423248047, updated: 1423248047,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["lambda:InvokeFunction"], "Resource": "*"}, {"Effect":
             "Allow", "Action": ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams"],
             "Resource": "*"}]}
            """#),
        .init(
            "AWSLambdaKinesisExecutionRole", path: "/service-role/", version: 2, created: 1428592456, updated: 1542658164,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["kinesis:DescribeStream",
             "kinesis:DescribeStreamSummary", "kinesis:GetRecords", "kinesis:GetShardIterator", "kinesis:ListShards",
             "kinesis:ListStreams", "kinesis:SubscribeToShard", "logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"],
             "Resource": "*"}]}
            """#),
        .init(
            "AWSLambdaMSKExecutionRole", path: "/service-role/", version: 2, created: 1597167305, updated: 1659470882,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["kafka:DescribeCluster", "kafka:DescribeClusterV2",
             "kafka:GetBootstrapBrokers", "ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DescribeVpcs",
             "ec2:DeleteNetworkInterface", "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "logs:CreateLogGroup",
             "logs:CreateLogStream", "logs:PutLogEvents"], "Resource": "*"}]}
            """#),
        .init(
            "AWSLambdaRole", path: "/service-role/", version: 1, created: 1423248088, updated: 1423248088,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["lambda:InvokeFunction"], "Resource": ["*"]}]}
            """#),
        .init(
            "AWSLambdaSQSQueueExecutionRole", path: "/service-role/", version: 1, created: 1529013045, updated: 1529013045,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sqs:ReceiveMessage", "sqs:DeleteMessage",
             "sqs:GetQueueAttributes", "logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"], "Resource": "*"}]}
            """#),
        .init(
            "AWSLambdaVPCAccessExecutionRole", path: "/service-role/", version: 3, created: 1455232526, updated: 1704494306,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSLambdaVPCAccessExecutionPermissions", "Effect": "Allow", "Action":
             ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents", "ec2:CreateNetworkInterface",
             "ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets", "ec2:DeleteNetworkInterface", "ec2:AssignPrivateIpAddresses",
             "ec2:UnassignPrivateIpAddresses"], "Resource": "*"}]}
            """#),
        .init(
            "AWSStepFunctionsFullAccess", path: "/", version: 1, created: 1484171492, updated: 1484171492,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "states:*", "Resource": "*"}]}
            """#),
        .init(
            "AWSStepFunctionsReadOnlyAccess", path: "/", version: 4, created: 1484171179, updated: 1714157634,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "ReadOnlyAccess", "Effect": "Allow", "Action": ["states:ListStateMachines",
             "states:ListActivities", "states:DescribeStateMachine", "states:DescribeStateMachineForExecution", "states:ListExecutions",
             "states:DescribeExecution", "states:GetExecutionHistory", "states:DescribeActivity", "states:ListTagsForResource",
             "states:DescribeMapRun", "states:ListMapRuns", "states:DescribeStateMachineAlias", "states:ListStateMachineAliases",
             "states:ListStateMachineVersions", "states:ValidateStateMachineDefinition"], "Resource": "*"}]}
            """#),
        .init(
            "AWSXRayDaemonWriteAccess", path: "/", version: 2, created: 1535497233, updated: 1707861510,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSXRayDaemonWriteAccess", "Effect": "Allow", "Action":
             ["xray:PutTraceSegments", "xray:PutTelemetryRecords", "xray:GetSamplingRules", "xray:GetSamplingTargets",
             "xray:GetSamplingStatisticSummaries"], "Resource": ["*"]}]}
            """#),
        .init(
            "AWSXrayFullAccess", path: "/", version: 2, created: 1480617055, updated: 1712855256,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSXrayFullAccess", "Effect": "Allow", "Action": ["xray:*"], "Resource":
             ["*"]}]}
            """#),
        .init(
            "AWSXrayReadOnlyAccess", path: "/", version: 8, created: 1480616822, updated: 1707870902,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSXrayReadOnlyAccess", "Effect": "Allow", "Action":
             ["xray:GetSamplingRules", "xray:GetSamplingTargets", "xray:GetSamplingStatisticSummaries", "xray:BatchGetTraces",
             "xray:BatchGetTraceSummaryById", "xray:GetDistinctTraceGraphs", "xray:GetServiceGraph", "xray:GetTraceGraph",
             "xray:GetTraceSummaries", "xray:GetGroups", "xray:GetGroup", "xray:ListTagsForResource", "xray:ListResourcePolicies",
             "xray:GetTimeSeriesServiceStatistics", "xray:GetInsightSummaries", "xray:GetInsight", "xray:GetInsightEvents",
             "xray:GetInsightImpactGraph"], "Resource": ["*"]}]}
            """#),
        .init(
            "AWSXrayWriteOnlyAccess", path: "/", version: 2, created: 1480616393, updated: 1535497384,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["xray:PutTraceSegments", "xray:PutTelemetryRecords",
             "xray:GetSamplingRules", "xray:GetSamplingTargets", "xray:GetSamplingStatisticSummaries"], "Resource": ["*"]}]}
            """#),
    ]
}
