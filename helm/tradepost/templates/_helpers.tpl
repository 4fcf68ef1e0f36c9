{{- define "tradepost.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "tradepost.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "tradepost.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "tradepost.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* What selects a pod for life: never add a version here, a Deployment's selector cannot change. */}}
{{- define "tradepost.selectorLabels" -}}
app.kubernetes.io/name: {{ include "tradepost.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tradepost.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "tradepost.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* An object's metadata: dict "ctx" $ "suffix" "-metrics" "component" "web" "annotations" {} "labels" {} */}}
{{- define "tradepost.metadata" -}}
name: {{ include "tradepost.fullname" .ctx }}{{ .suffix }}
namespace: {{ .ctx.Release.Namespace }}
labels:
  {{- include "tradepost.labels" .ctx | nindent 2 }}
  {{- with .component }}
  app.kubernetes.io/component: {{ . }}
  {{- end }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .ctx.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "tradepost.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "tradepost.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "tradepost.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "tradepost.host" -}}
{{ get (urlParse .Values.config.publicUrl) "host" | splitList ":" | first }}
{{- end }}

{{- define "tradepost.secretName" -}}
{{ default (include "tradepost.fullname" .) .Values.secrets.existingSecret }}
{{- end }}

{{- define "tradepost.databaseName" -}}
{{ include "tradepost.fullname" . }}-db
{{- end }}

{{/* "true" where the image volume can be mounted by one pod only. */}}
{{- define "tradepost.singlePod" -}}
{{- if and .Values.persistence.enabled (not (has "ReadWriteMany" .Values.persistence.accessModes)) }}true{{ end }}
{{- end }}

{{/* "true" where more than one pod is meant to run. */}}
{{- define "tradepost.manyPods" -}}
{{- if .Values.autoscaling.enabled }}
{{- if gt (int .Values.autoscaling.minReplicas) 1 }}true{{ end }}
{{- else if gt (int .Values.replicaCount) 1 }}true{{ end }}
{{- end }}
