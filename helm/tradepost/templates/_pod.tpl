{{/* What every container of the chart has in common. dict "ctx" $ "name" NAME "secret" NAME "database" BOOL "inline" BOOL */}}
{{- define "tradepost.container" -}}
{{- $ctx := .ctx -}}
name: {{ .name }}
image: {{ include "tradepost.image" $ctx }}
imagePullPolicy: {{ $ctx.Values.image.pullPolicy }}
securityContext:
  {{- toYaml $ctx.Values.containerSecurityContext | nindent 2 }}
{{- /* A hook runs before the release's ConfigMap exists, so it carries the settings itself. */}}
{{- $env := include "tradepost.env" . | fromYamlArray }}
{{- if .inline }}
{{- $own := dict }}
{{- range $env }}{{ $_ := set $own .name true }}{{ end }}
{{- range $name, $value := include "tradepost.config" $ctx | fromYaml }}
{{- if not (hasKey $own $name) }}
{{- $env = append $env (dict "name" $name "value" $value) }}
{{- end }}
{{- end }}
{{- end }}
env:
  {{- toYaml $env | nindent 2 }}
{{- $envFrom := $ctx.Values.extraEnvFrom }}
{{- if not .inline }}
{{- $envFrom = prepend $envFrom (dict "configMapRef" (dict "name" (include "tradepost.fullname" $ctx))) }}
{{- end }}
{{- with $envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "tradepost.migrate" -}}
{{ include "tradepost.container" . }}
args: [marketctl, migrate, up, --wait, {{ .ctx.Values.migrations.wait | quote }}]
resources:
  {{- toYaml .ctx.Values.migrations.resources | nindent 2 }}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{/* What every pod of the chart has in common. dict "ctx" $ */}}
{{- define "tradepost.podSettings" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- toYaml .ctx.Values.podSecurityContext | nindent 2 }}
{{- with .ctx.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .ctx.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .ctx.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .ctx.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .ctx.Values.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .ctx.Values.dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* A pod that runs one marketctl command to its end. The labels leave out the selector's, so that no Service sends it requests.
     dict "ctx" $ "component" NAME "container" YAML "inline" BOOL */}}
{{- define "tradepost.oneShotPod" -}}
metadata:
  labels:
    app.kubernetes.io/part-of: {{ include "tradepost.fullname" .ctx }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not .inline }}
  serviceAccountName: {{ include "tradepost.serviceAccountName" .ctx }}
  {{- end }}
  restartPolicy: Never
  {{- include "tradepost.podSettings" (dict "ctx" .ctx) | nindent 2 }}
  containers:
    - {{- .container | nindent 6 }}
  volumes:
    - {name: tmp, emptyDir: {}}
{{- end }}
